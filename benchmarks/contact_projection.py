"""How long a visit of a contact takes in the projection [Daviet 2020, algorithm 3].

200 thousand contacts of four nodes between neighbours among strands with half a million points. The strands stand at
random places and are numbered along a space-filling curve, the contacts by their first nodes: as near to each other in
memory as can be. `python -m benchmarks.contact_projection` measures.
"""

import numba
import numpy as np
from scipy.spatial import KDTree

from stiction.solver.collision.morton_order import morton_order
from stiction.solver.contact.nodal_contacts import NodalContacts
from stiction.solver.contact.projection import Projection

from .report import Row, print_table
from .timing import best_seconds

STRANDS, POINTS, CONTACTS = 15_625, 32, 200_000
NEIGHBOURS = 8  # of a strand, with which its contacts are
SWEEPS = 10
NANOSECONDS = {1: 60.0, 2: 45.0}  # a contact and sweep: a prototype's on the same machine, by the number of threads
MOST = 1.5  # times as much
TITLE = "Contact: projection"


def measure() -> list[Row]:
    contacts = neighbours_contacts()
    return [_row(contacts, threads) for threads in NANOSECONDS if threads <= numba.config.NUMBA_NUM_THREADS]


def neighbours_contacts(strands: int = STRANDS, count: int = CONTACTS, seed: int = 0) -> NodalContacts:
    random = np.random.default_rng(seed)
    strand, other = _neighbouring_strands(random, strands, count)
    height = random.integers(0, POINTS - 1, count)
    level = np.clip(height + random.integers(-2, 3, count), 0, POINTS - 2)
    nodes = np.stack([POINTS * strand + height, POINTS * strand + height + 1], axis=1)
    others = np.stack([POINTS * other + level, POINTS * other + level + 1], axis=1)
    order = np.argsort(nodes[:, 0], kind="stable")
    part, other_part = random.uniform(size=(2, count))
    normals = random.normal(size=(count, 3))
    return NodalContacts(
        np.arange(0, 4 * count + 1, 4, dtype=np.int32),
        np.concatenate([nodes, others], axis=1)[order].astype(np.int32).ravel(),
        np.stack([1.0 - part, part, other_part - 1.0, -other_part], axis=1).ravel(),
        normals / np.linalg.norm(normals, axis=1)[:, None],
        velocities=np.zeros((count, 3)),
        friction=np.full(count, 0.2),
        cohesion=np.zeros(count),
        compliance=np.zeros(count),
    )


def _neighbouring_strands(random, strands, count):
    """Pairs of strands, each numbered along the curve."""
    places = np.column_stack([random.uniform(size=(strands, 2)), np.zeros(strands)])
    boxes = np.concatenate([places, places], axis=1).astype(np.float32)
    places = places[morton_order(np.arange(strands, dtype=np.int32)[:, None], boxes)]
    _, nearest = KDTree(places).query(places, NEIGHBOURS + 1)
    strand = random.integers(0, strands, count)
    return strand, nearest[strand, random.integers(1, NEIGHBOURS + 1, count)]


def _row(contacts, threads):
    before = numba.get_num_threads()
    numba.set_num_threads(threads)
    try:
        nanoseconds = _nanoseconds(contacts)
    finally:
        numba.set_num_threads(before)
    what = f"a contact and sweep, {contacts.contact_count:,} contacts of four nodes, {threads} threads"
    reference = NANOSECONDS[threads]
    ratio = nanoseconds / reference
    return Row(what, f"{nanoseconds:.0f} ns", f"prototype {reference:.0f} ns", ratio, MOST)


def _nanoseconds(contacts):
    """Of a sweep: what many take longer than one."""
    node_count = STRANDS * POINTS
    projection = Projection(contacts, np.ones(node_count))
    velocities = np.random.default_rng(1).normal(size=(node_count, 3))
    one, many = (
        best_seconds(lambda sweeps=sweeps: projection.project(velocities.copy(), sweeps)) for sweeps in (1, 1 + SWEEPS)
    )
    return 1e9 * (many - one) / (SWEEPS * contacts.contact_count)


if __name__ == "__main__":
    print_table(TITLE, measure())
