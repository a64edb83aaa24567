/** The overview with PixiJS: one instanced mesh for all nodes, another for all edges. */

import "pixi.js/unsafe-eval"; // the page's content security policy forbids eval
import { Buffer, BufferUsage, Container, Geometry, Mesh, Shader, UniformGroup, WebGLRenderer } from "pixi.js";
import type { Rgb } from "../scale";
import type { Camera, View } from "./camera";
import { type Drawing, drawnLast, edgeStrength, lightOn, type Moment, type Painter } from "./painter";
import { EDGE_FRAGMENT, EDGE_VERTEX, NODE_FRAGMENT, NODE_VERTEX } from "./shaders";
import { radiusOf, spreadOf } from "./stand";

const SEGMENTS = 10;
const PULSE_MS = 1400;

type Flat = Mesh<Geometry, Shader>;

/** Creates the painter; throws if WebGL 2 is unavailable. */
export async function pixiPainter(view: View, ratio: number): Promise<Painter> {
  const renderer = new WebGLRenderer();
  await renderer.init({
    width: view.width,
    height: view.height,
    resolution: ratio,
    autoDensity: true,
    backgroundAlpha: 0,
    antialias: true,
    preferWebGLVersion: 2,
    powerPreference: "high-performance",
  });
  const painter = new PixiPainter(renderer);
  try {
    painter.prove();
  } catch (reason) {
    painter.destroy();
    throw reason;
  }
  return painter;
}

class PixiPainter implements Painter {
  readonly name = "webgl";
  private readonly renderer: WebGLRenderer;
  private readonly stage = new Container();
  private readonly placing = placingUniforms();
  private readonly inks = inkUniforms();
  private readonly nodes = new NodeMesh(this.placing, this.inks);
  private readonly edges = new EdgeMesh(this.placing);
  private view: View;

  constructor(renderer: WebGLRenderer) {
    this.renderer = renderer;
    this.view = { width: renderer.width / renderer.resolution, height: renderer.height / renderer.resolution };
    this.stage.addChild(this.edges.mesh, this.nodes.mesh);
  }

  get element(): HTMLCanvasElement {
    return this.renderer.canvas as HTMLCanvasElement;
  }

  /** Draws an empty scene, and throws if the driver rejects the shaders: PixiJS itself only logs such errors. */
  prove(): void {
    const { gl } = this.renderer;
    this.draw({ camera: { scaleX: 1, scaleY: 1, x: 0, y: 0 }, moving: false, clock: null });
    const fault = gl.getError();
    if (fault !== gl.NO_ERROR) throw new Error(`WebGL could not draw the lineage (error ${fault})`);
  }

  resize(view: View, ratio: number): void {
    this.view = view;
    this.renderer.resize(view.width, view.height, ratio);
  }

  show(drawing: Drawing): void {
    this.nodes.show(drawing);
    this.edges.show(drawing);
    const { uniforms } = this.inks;
    uniforms.uInk = unit(drawing.palette.ink);
    uniforms.uGround = unit(drawing.palette.ground);
    uniforms.uWorking = unit(drawing.palette.working);
  }

  draw({ camera, clock }: Moment): void {
    place(this.placing, camera, this.view);
    this.inks.uniforms.uPulse = clock === null ? 0.3 : (clock % PULSE_MS) / PULSE_MS;
    this.renderer.render({ container: this.stage });
  }

  destroy(): void {
    this.stage.destroy({ children: true });
    this.renderer.destroy({ removeView: true });
  }
}

function placingUniforms() {
  return new UniformGroup({
    uScale: { value: new Float32Array(2), type: "vec2<f32>" },
    uOffset: { value: new Float32Array(2), type: "vec2<f32>" },
    uView: { value: new Float32Array([1, 1]), type: "vec2<f32>" },
    uSpread: { value: 0, type: "f32" },
    uRadius: { value: 4, type: "f32" },
  });
}

function inkUniforms() {
  return new UniformGroup({
    uInk: { value: new Float32Array(3), type: "vec3<f32>" },
    uGround: { value: new Float32Array(3), type: "vec3<f32>" },
    uWorking: { value: new Float32Array(3), type: "vec3<f32>" },
    uPulse: { value: 0, type: "f32" },
  });
}

type Placing = ReturnType<typeof placingUniforms>;
type Inks = ReturnType<typeof inkUniforms>;

function place({ uniforms }: Placing, camera: Camera, view: View): void {
  uniforms.uScale = new Float32Array([camera.scaleX, camera.scaleY]);
  uniforms.uOffset = new Float32Array([camera.x, camera.y]);
  uniforms.uView = new Float32Array([view.width, view.height]);
  uniforms.uSpread = spreadOf(camera);
  uniforms.uRadius = radiusOf(camera);
}

/** One quad per node. */
class NodeMesh {
  readonly mesh: Flat;
  private readonly places = instances(new Float32Array(2));
  private readonly colours = instances(new Uint8Array(4));
  private readonly looks = instances(new Float32Array(3));

  constructor(placing: Placing, inks: Inks) {
    const geometry = new Geometry({
      attributes: {
        aPosition: { buffer: new Float32Array([-1, -1, 1, -1, 1, 1, -1, 1]), format: "float32x2" },
        aPlace: { buffer: this.places, format: "float32x2", instance: true },
        aColour: { buffer: this.colours, format: "unorm8x4", instance: true },
        aLook: { buffer: this.looks, format: "float32x3", instance: true },
      },
      indexBuffer: new Uint32Array([0, 1, 2, 0, 2, 3]),
      instanceCount: 0,
    });
    const gl = { vertex: NODE_VERTEX, fragment: NODE_FRAGMENT, name: "lineage-nodes" };
    this.mesh = new Mesh({ geometry, shader: Shader.from({ gl, resources: { placing, inks } }) });
  }

  show(drawing: Drawing): void {
    const { scene, kinds } = drawing;
    const order = ordered(scene.nodes.length, (index) => drawnLast(drawing, index));
    const places = new Float32Array(order.length * 2);
    const colours = new Uint8Array(order.length * 4);
    const looks = new Float32Array(order.length * 3);
    order.forEach((index, at) => {
      const kind = kinds[index] ?? 0;
      places.set([scene.columns[index] ?? 0, scene.lanes[index] ?? 0], at * 2);
      colours.set(drawing.colours.subarray(index * 3, index * 3 + 3), at * 4);
      const light = lightOn(drawing, index);
      colours[at * 4 + 3] = light.alpha * 255;
      looks.set([kind, light.size, scene.nodes[index]?.working ? 1 : 0], at * 3);
    });
    this.places.data = places;
    this.colours.data = colours;
    this.looks.data = looks;
    this.mesh.geometry.instanceCount = order.length;
    this.mesh.visible = order.length > 0;
  }
}

/** One curved ribbon per edge. */
class EdgeMesh {
  readonly mesh: Flat;
  private readonly ends = instances(new Float32Array(4));
  private readonly tints = instances(new Uint8Array(4));
  private readonly widths = instances(new Float32Array(1));

  constructor(placing: Placing) {
    const ribbon = ribbonOf(SEGMENTS);
    const geometry = new Geometry({
      attributes: {
        aPosition: { buffer: ribbon.corners, format: "float32x2" },
        aEnds: { buffer: this.ends, format: "float32x4", instance: true },
        aTint: { buffer: this.tints, format: "unorm8x4", instance: true },
        aWidth: { buffer: this.widths, format: "float32", instance: true },
      },
      indexBuffer: ribbon.indices,
      instanceCount: 0,
    });
    const gl = { vertex: EDGE_VERTEX, fragment: EDGE_FRAGMENT, name: "lineage-edges" };
    this.mesh = new Mesh({ geometry, shader: Shader.from({ gl, resources: { placing } }) });
  }

  show({ scene, kin, palette }: Drawing): void {
    const count = scene.edges.length / 2;
    const lit = (edge: number) => kin?.has(scene.edges[edge * 2] ?? -1) === true && kin.has(scene.edges[edge * 2 + 1] ?? -1);
    const order = ordered(count, lit);
    const ends = new Float32Array(count * 4);
    const tints = new Uint8Array(count * 4);
    const widths = new Float32Array(count);
    const strength = edgeStrength(count) * 255;
    order.forEach((edge, at) => {
      const from = scene.edges[edge * 2] ?? 0;
      const to = scene.edges[edge * 2 + 1] ?? 0;
      const ends4 = [scene.columns[from] ?? 0, scene.lanes[from] ?? 0, scene.columns[to] ?? 0, scene.lanes[to] ?? 0];
      ends.set(ends4, at * 4);
      const bright = lit(edge);
      tints.set(bright ? palette.kin : palette.edge, at * 4);
      tints[at * 4 + 3] = bright ? 230 : kin === null ? strength : strength * 0.35;
      widths[at] = bright ? 2 : 1;
    });
    this.ends.data = ends;
    this.tints.data = tints;
    this.widths.data = widths;
    this.mesh.geometry.instanceCount = count;
    this.mesh.visible = count > 0;
  }
}

function instances(data: Float32Array | Uint8Array): Buffer {
  return new Buffer({ data, usage: BufferUsage.VERTEX | BufferUsage.COPY_DST });
}

/** All numbers below `count`; those for which `last` is true come at the end. */
function ordered(count: number, last: (index: number) => boolean): Uint32Array {
  const order = new Uint32Array(count);
  let front = 0;
  let back = count;
  for (let index = 0; index < count; index += 1) {
    if (last(index)) order[--back] = index;
    else order[front++] = index;
  }
  return order;
}

function ribbonOf(segments: number) {
  const corners = new Float32Array((segments + 1) * 4);
  const indices: number[] = [];
  for (let step = 0; step <= segments; step += 1) {
    const part = step / segments;
    corners.set([part, -1, part, 1], step * 4);
    if (step < segments) indices.push(...[0, 1, 2, 1, 3, 2].map((corner) => step * 2 + corner));
  }
  return { corners, indices: Uint32Array.from(indices) };
}

function unit(colour: Rgb): Float32Array<ArrayBuffer> {
  return new Float32Array([colour[0] / 255, colour[1] / 255, colour[2] / 255]);
}
