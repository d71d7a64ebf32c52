"""Materials as the paper tells them [Daviet 2020, table 4], in the solver's terms."""

from stiction.solver import ClothMaterial, HairMaterial

HAIR = HairMaterial(
    radius=4e-5, density=1300.0, bending_modulus=4e9, stretching_modulus=1e8, poisson_ratio=0.48, damping=1e-3
)
HAIR_FRICTION = 0.2
CLOTH_FRICTION = 0.5
STEPS_PER_FRAME = 6  # of 6.9 ms
# How hair and clothes are solved, and the furry bunny [table 5].
CLOTHED = {"contact_method": "admm", "steps_per_frame": STEPS_PER_FRAME, "linearizations": 2, "contact_iterations": 25,
           "contact_sweeps": 10}  # fmt: skip
FURRY = {**CLOTHED, "contact_iterations": 50, "contact_sweeps": 25}


def sheet_material(
    thickness: float,  # [m]
    density: float,  # [kg/m³]
    bending_modulus: float,  # [Pa]
    stretching_modulus: float,  # [Pa]
    poisson_ratio: float = 0.4,
    damping: float = 5e-3,  # [s]
) -> ClothMaterial:
    """A sheet alike in all directions: moduli times the thickness, and a plate's rigidity E h³ / 12 (1 − ν²)."""
    stretching = stretching_modulus * thickness
    bending = bending_modulus * thickness**3 / (12.0 * (1.0 - poisson_ratio**2))
    return ClothMaterial(
        area_density=density * thickness,
        warp_stiffness=stretching,
        weft_stiffness=stretching,
        shear_stiffness=stretching / (2.0 * (1.0 + poisson_ratio)),
        poisson_ratio=poisson_ratio,
        warp_bending=bending,
        weft_bending=bending,
        damping=damping,
    )


SHIRT = sheet_material(2e-3, 1000.0, 1e3, 1e6)
BAND = sheet_material(5e-3, 400.0, 1e3, 1e6)
HANGING_CLOTH = sheet_material(2e-3, 1000.0, 5e4, 1e6)
