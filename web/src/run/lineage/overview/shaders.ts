/** Shaders for nodes and edges. They compute positions themselves, so that sizes do not change with the zoom. */

import { FILES } from "./stand";

const PLACING = /* glsl */ `
uniform vec2 uScale;
uniform vec2 uOffset;
uniform vec2 uView;
uniform float uSpread;

vec2 placed(vec2 place) {
  float file = mod(place.y * 2.0, ${FILES}.0) / ${FILES - 1}.0 - 0.5;
  return vec2(place.x + file * uSpread, place.y) * uScale + uOffset;
}

vec4 clipped(vec2 pixel) {
  return vec4(pixel.x / uView.x * 2.0 - 1.0, 1.0 - pixel.y / uView.y * 2.0, 0.0, 1.0);
}
`;

export const NODE_VERTEX = /* glsl */ `
in vec2 aPosition;
in vec2 aPlace;
in vec4 aColour;
in vec3 aLook;
${PLACING}
uniform float uRadius;
out vec2 vAt;
out vec4 vColour;
out vec3 vLook;
out float vPixel;

void main() {
  float radius = uRadius * aLook.y;
  float padded = radius * 1.9 + 2.0;
  vAt = aPosition * padded / radius;
  vPixel = 1.0 / radius;
  vColour = aColour;
  vLook = aLook;
  gl_Position = clipped(placed(aPlace) + aPosition * padded);
}
`;

export const NODE_FRAGMENT = /* glsl */ `
in vec2 vAt;
in vec4 vColour;
in vec3 vLook;
in float vPixel;
uniform vec3 uInk;
uniform vec3 uGround;
uniform vec3 uWorking;
uniform float uPulse;

float star(vec2 p) {
  const vec2 k1 = vec2(0.809016994, -0.587785252);
  const vec2 k2 = vec2(-0.809016994, -0.587785252);
  p.y = -p.y;
  p.x = abs(p.x);
  p -= 2.0 * max(dot(k1, p), 0.0) * k1;
  p -= 2.0 * max(dot(k2, p), 0.0) * k2;
  p.x = abs(p.x);
  p.y -= 1.0;
  vec2 ba = 0.45 * vec2(0.587785252, 0.809016994) - vec2(0.0, 1.0);
  float h = clamp(dot(p, ba) / dot(ba, ba), 0.0, 1.0);
  return length(p - ba * h) * sign(p.y * ba.x - p.x * ba.y);
}

float wedge(vec2 p) {
  float side = dot(vec2(abs(p.x), p.y - 0.85), vec2(0.863, 0.505));
  return max(-0.6 - p.y, side);
}

float cross2(vec2 p) {
  p = abs(vec2(p.x + p.y, p.x - p.y)) * 0.70710678;
  return min(max(p.x - 1.0, p.y - 0.25), max(p.y - 1.0, p.x - 0.25));
}

float shape(vec2 p) {
  float kind = vLook.x;
  if (kind < 0.5) return star(p);
  if (kind < 1.5) return (abs(p.x) + abs(p.y) - 1.0) * 0.70710678;
  if (kind < 2.5) return max(abs(p.x), abs(p.y)) - 0.72;
  if (kind < 3.5) return length(p) - 0.8;
  if (kind < 4.5) return abs(length(p) - 0.66) - 0.17;
  if (kind < 5.5) return abs(wedge(p) + 0.17) - 0.17;
  return cross2(p);
}

vec4 over(vec4 top, vec4 below) {
  return top + below * (1.0 - top.a);
}

void main() {
  float far = shape(vAt);
  float solid = clamp(0.5 - far / vPixel, 0.0, 1.0);
  vec4 colour = vec4(vColour.rgb, 1.0) * solid;
  if (vLook.x < 1.5) {
    float rim = clamp(0.5 - (far - 2.2 * vPixel) / vPixel, 0.0, 1.0);
    colour = over(colour, vec4(uInk, 1.0) * rim);
  }
  if (vLook.z > 0.5) {
    float reach = 1.15 + 0.55 * uPulse;
    float ring = clamp(0.5 - (abs(length(vAt) - reach) - 0.9 * vPixel) / vPixel, 0.0, 1.0);
    colour = over(colour, vec4(uWorking, 1.0) * ring * (1.0 - 0.75 * uPulse));
  }
  finalColor = colour * vColour.a;
}
`;

export const EDGE_VERTEX = /* glsl */ `
in vec2 aPosition;
in vec4 aEnds;
in vec4 aTint;
in float aWidth;
${PLACING}
out vec4 vTint;

void main() {
  vec2 from = placed(aEnds.xy);
  vec2 to = placed(aEnds.zw);
  float bend = to.x - from.x > 1.0 ? (to.x - from.x) * 0.5 : 10.0;
  vec2 one = from + vec2(bend, 0.0);
  vec2 two = to - vec2(bend, 0.0);
  float t = aPosition.x;
  float s = 1.0 - t;
  vec2 at = s * s * s * from + 3.0 * s * s * t * one + 3.0 * s * t * t * two + t * t * t * to;
  vec2 along = 3.0 * s * s * (one - from) + 6.0 * s * t * (two - one) + 3.0 * t * t * (to - two);
  vec2 across = normalize(vec2(-along.y, along.x) + vec2(0.0, 1e-6));
  vTint = aTint;
  gl_Position = clipped(at + across * aPosition.y * aWidth * 0.5);
}
`;

export const EDGE_FRAGMENT = /* glsl */ `
in vec4 vTint;

void main() {
  finalColor = vec4(vTint.rgb * vTint.a, vTint.a);
}
`;
