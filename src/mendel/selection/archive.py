"""MAP-Elites: the fittest member of each cell of behaviour owns it, and size limits evict owners only last."""

from __future__ import annotations

from collections.abc import Iterator

from mendel.contracts.entropy import Entropy
from mendel.contracts.run_config import ArchiveConfig
from mendel.selection.cells import Axis, Cell, Cells, GridCells
from mendel.selection.population import Member


class Archive:
    """The owners of cells. The member with the best rank owns a cell, so the order of placing does not matter.

    A member's descriptor gives its point. Without a value for the axis ``age``, the depth of the member's lineage
    counts. A member without a value for another axis has no cell and no protection.
    """

    def __init__(self, cells: Cells) -> None:
        self._cells = cells
        self._owners: dict[Cell, Member] = {}
        self._owned: dict[str, Cell] = {}

    def cell_of(self, member: Member) -> Cell | None:
        """Return the cell of a member; None if its descriptor lacks an axis."""
        point = [_value(member, axis.name) for axis in self._cells.axes]
        known = [value for value in point if value is not None]
        return self._cells.cell(known) if len(known) == len(point) else None

    def place(self, member: Member) -> Cell | None:
        """Let ``member`` compete for its cell, and return the cell; a member with a known id is replaced."""
        self.forget(member.genome_id)  # its rank or its cell may have changed
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
        """Return the owner of a cell."""
        return self._owners.get(cell)

    def owners(self) -> Iterator[Member]:
        """Return all owners in the order of their cells; the archive must not change during iteration."""
        return (self._owners[cell] for cell in sorted(self._owners))

    def protected(self, genome_id: str) -> bool:
        """Return whether a genome owns a cell."""
        return genome_id in self._owned

    def forget(self, genome_id: str) -> None:
        """Remove a genome; a cell that it owned becomes empty."""
        cell = self._owned.pop(genome_id, None)
        if cell is not None:
            del self._owners[cell]

    def __len__(self) -> int:
        return len(self._owners)

    @property
    def coverage(self) -> float:
        """The share of cells with an owner."""
        return len(self._owners) / len(self._cells)


def archive_of(config: ArchiveConfig, entropy: Entropy) -> Archive:
    """Create the configured archive; ``entropy`` draws the centroids."""
    axes = [Axis(each.name, each.low, each.high, each.bins) for each in config.descriptors]
    if config.kind == "grid":
        return Archive(GridCells(axes))
    # Imported here, because NumPy takes longer to load than everything else, and few runs use centroids.
    from mendel.selection.cvt import CentroidCells

    return Archive(CentroidCells(axes, config.cells, entropy))


def _value(member: Member, name: str) -> float | None:
    value = member.descriptor.get(name)
    return float(member.depth) if value is None and name == "age" else value
