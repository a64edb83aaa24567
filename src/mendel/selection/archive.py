"""MAP-Elites: in each cell of behaviour the fittest owns the cell, and owners are not evicted by size limits."""

from __future__ import annotations

from collections.abc import Iterator

from mendel.contracts.entropy import Entropy
from mendel.contracts.run_config import ArchiveConfig
from mendel.selection.cells import Axis, Cell, Cells, GridCells
from mendel.selection.population import Member


class Archive:
    """Who owns which cell. The better rank owns, so the order of placing does not matter.

    A point is read from a member's descriptor. Where that does not name the axis ``age``, it is the depth of the
    member's lineage. Whoever lacks another axis has no cell, and nothing protects it.
    """

    def __init__(self, cells: Cells) -> None:
        self._cells = cells
        self._owners: dict[Cell, Member] = {}
        self._owned: dict[str, Cell] = {}

    def cell_of(self, member: Member) -> Cell | None:
        """Where a member belongs; none if its descriptor lacks an axis."""
        point = [_value(member, axis.name) for axis in self._cells.axes]
        known = [value for value in point if value is not None]
        return self._cells.cell(known) if len(known) == len(point) else None

    def place(self, member: Member) -> Cell | None:
        """Let ``member`` contend for its cell, and say which it is. A member that is known already is replaced."""
        self.forget(member.genome_id)
        cell = self.cell_of(member)
        if cell is None:
            return None
        owner = self._owners.get(cell)
        if owner is None or member.rank < owner.rank:
            if owner is not None:
                del self._owned[owner.genome_id]
            self._owners[cell] = member
            self._owned[member.genome_id] = cell
        return cell

    def owner(self, cell: Cell) -> Member | None:
        """Who owns a cell."""
        return self._owners.get(cell)

    def owners(self) -> Iterator[Member]:
        """All owners, in the order of their cells. The archive must not change meanwhile."""
        return (self._owners[cell] for cell in sorted(self._owners))

    def protected(self, genome_id: str) -> bool:
        """Whether a genome owns a cell."""
        return genome_id in self._owned

    def forget(self, genome_id: str) -> None:
        """A genome lives no more; if it owned a cell, that is empty."""
        cell = self._owned.pop(genome_id, None)
        if cell is not None:
            del self._owners[cell]

    def __len__(self) -> int:
        return len(self._owners)

    @property
    def coverage(self) -> float:
        """The share of cells that have an owner."""
        return len(self._owners) / len(self._cells)


def archive_of(config: ArchiveConfig, entropy: Entropy) -> Archive:
    """The archive that a run asks for; ``entropy`` draws the centroids."""
    axes = [Axis(each.name, each.low, each.high, each.bins) for each in config.descriptors]
    if config.kind == "grid":
        return Archive(GridCells(axes))
    # Here, because NumPy takes longer to load than all the rest, and few runs have centroids.
    from mendel.selection.cvt import CentroidCells

    return Archive(CentroidCells(axes, config.cells, entropy))


def _value(member: Member, name: str) -> float | None:
    value = member.descriptor.get(name)
    return float(member.depth) if value is None and name == "age" else value
