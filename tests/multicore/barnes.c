// Gravity among bodies in space by Barnes and Hut's method, as SPLASH-2's Barnes has it. In each step all harts put
// their bodies into one octree, splitting its cells under locks; sum up the cells' masses, each as soon as another hart
// has done those below it; take bodies off a shared count and walk the tree for each; and move their own.
//
// Check: the root has the mass of all bodies, exactly, as masses are whole; accelerations are near those of the direct
// sum; and as the tree does not depend on the order of insertion, hart 0 alone must find the same bits.
#include "hauberk.h"

#define BODIES 96
#define CELLS 128  // twice what these bodies need; with them 16 KiB
#define STEPS 2
#define TIME_STEP (1 / 64.0)
#define MAX_DEPTH 24  // of the recursion over the tree, which must fit a hart's stack
#define LOCKS 8
#define OPENING 1       // square of the angle under which a cell counts as one body
#define SOFTENING 1e-4  // added to squares of distances
#define TOLERANCE 0.1   // of an acceleration, relative to all pulls' lengths, as opposite ones cancel

typedef struct {
  double x, y, z;
} vector;

typedef struct {
  vector position, velocity, acceleration;
  double mass;
} body;

// What is in an octant: nothing (0, as the root is in none), a cell, or a body.
typedef uint16_t reference;
#define NOTHING 0
#define BODY 0x8000

typedef struct {
  _Alignas(CACHE_LINE) vector centre;
  double mass;
  reference octants[8];
  uint32_t summed;
} cell;

static NOINIT body bodies[BODIES];
static NOINIT body kept[BODIES];
static NOINIT cell cells[CELLS];  // the root is the first, and each is behind the one that holds it
static spin_lock locks[LOCKS];    // of the cell with that remainder
static spin_lock extent_lock;
static barrier meeting;
static _Alignas(CACHE_LINE) uint32_t cells_used;
static _Alignas(CACHE_LINE) uint32_t next_to_pull;
static RESULTS double extents[STEPS];  // of the root, from its middle
static RESULTS vector positions[BODIES / 4];

static vector plus(vector a, vector b) { return (vector){a.x + b.x, a.y + b.y, a.z + b.z}; }
static vector minus(vector a, vector b) { return (vector){a.x - b.x, a.y - b.y, a.z - b.z}; }
static vector scaled(vector a, double factor) { return (vector){a.x * factor, a.y * factor, a.z * factor}; }
static double size(double value) { return value < 0 ? -value : value; }
static double length(vector a) { return size(a.x) + size(a.y) + size(a.z); }
static double square(vector a) { return a.x * a.x + a.y * a.y + a.z * a.z; }

// Between -1 and 1
static double random_value(unsigned i) { return (double)(int32_t)(mix64(i) >> 32) * (1 / 2147483648.0); }

static void place_bodies(void) {
  for (unsigned step = 0; step < STEPS; step++) extents[step] = 0;
  for (unsigned i = 0; i < BODIES; i++) {
    vector direction = {random_value(4 * i), random_value(4 * i + 1), random_value(4 * i + 2)};
    bodies[i] = (body){.position = scaled(direction, random_value(4 * i + 3)), .mass = 1 + i % 4};
  }
}

static double larger(double a, double b) { return a > b ? a : b; }

static void measure_extent(unsigned step, unsigned first, unsigned last) {
  double extent = 0;
  for (unsigned i = first; i < last; i++) {
    vector at = bodies[i].position;
    extent = larger(extent, larger(size(at.x), larger(size(at.y), size(at.z))));
  }
  spin_acquire(&extent_lock);
  extents[step] = larger(extent, extents[step]);
  spin_release(&extent_lock);
}

// ---- The tree

static void clear_cell(cell *target) {
  memset(target->octants, 0, sizeof target->octants);
  target->summed = 0;
}

static unsigned octant_of(vector at, vector middle) {
  return (at.x > middle.x) | (at.y > middle.y) << 1 | (at.z > middle.z) << 2;
}

static vector middle_of(unsigned octant, vector middle, double half) {
  return plus(middle, (vector){octant & 1 ? half : -half, octant & 2 ? half : -half, octant & 4 ? half : -half});
}

static bool is_cell(reference what) { return what != NOTHING && !(what & BODY); }

// A new cell around `middle` that holds one body; nobody else knows it yet.
static reference cell_around(reference what, vector middle) {
  unsigned made = __atomic_fetch_add(&cells_used, 1, __ATOMIC_RELAXED);
  expect(made < CELLS, "there is a cell to split an octant");
  clear_cell(&cells[made]);
  cells[made].octants[octant_of(bodies[what & ~BODY].position, middle)] = what;
  return (reference)made;
}

static void insert(unsigned index, double extent) {
  vector at = bodies[index].position, middle = {0, 0, 0};
  unsigned inside = 0;
  double half = extent / 2;
  for (unsigned depth = 0; depth < MAX_DEPTH;) {
    unsigned octant = octant_of(at, middle);
    reference *place = &cells[inside].octants[octant];
    reference what = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    if (is_cell(what)) {
      inside = what;
      middle = middle_of(octant, middle, half);
      half /= 2;
      depth++;
      continue;
    }
    spin_lock *lock = &locks[inside % LOCKS];
    spin_acquire(lock);
    what = *place;  // may have changed before we had the lock
    if (what == NOTHING) *place = (reference)(BODY | index);
    if (what & BODY) __atomic_store_n(place, cell_around(what, middle_of(octant, middle, half)), __ATOMIC_RELEASE);
    spin_release(lock);
    if (what == NOTHING) return;
  }
  expect(false, "no two bodies are too near for the tree");
}

// Mass and centre of mass of every cell whose turn is this hart's. Those in a cell are behind it, so going from the
// last to the first no two harts wait for each other.
static void sum_cells(unsigned hart, unsigned harts) {
  for (unsigned index = cells_used; index-- > 0;) {
    if (index % harts != hart) continue;
    vector moment = {0, 0, 0};
    double mass = 0;
    for (unsigned octant = 0; octant < 8; octant++) {
      reference what = cells[index].octants[octant];
      if (is_cell(what)) {
        while (!__atomic_load_n(&cells[what].summed, __ATOMIC_ACQUIRE)) {
        }
        moment = plus(moment, scaled(cells[what].centre, cells[what].mass));
        mass += cells[what].mass;
      } else if (what != NOTHING) {
        const body *only = &bodies[what & ~BODY];
        moment = plus(moment, scaled(only->position, only->mass));
        mass += only->mass;
      }
    }
    cells[index].centre = scaled(moment, 1 / mass);
    cells[index].mass = mass;
    __atomic_store_n(&cells[index].summed, 1, __ATOMIC_RELEASE);
  }
}

// ---- Gravity

static vector pull(vector at, vector centre, double mass) {
  vector apart = minus(centre, at);
  double distance_squared = square(apart) + SOFTENING, distance;
  __asm__("fsqrt.d %0, %1" : "=f"(distance) : "f"(distance_squared));
  return scaled(apart, mass / (distance_squared * distance));
}

// Of all that is in an octant or cell of that width on a body
static vector pull_of(reference what, double width_squared, unsigned index) {
  vector at = bodies[index].position, sum = {0, 0, 0};
  if (what & BODY) {
    const body *other = &bodies[what & ~BODY];
    return other == &bodies[index] ? sum : pull(at, other->position, other->mass);
  }
  const cell *within = &cells[what];
  if (width_squared < OPENING * square(minus(within->centre, at))) return pull(at, within->centre, within->mass);
  for (unsigned octant = 0; octant < 8; octant++) {
    if (within->octants[octant] == NOTHING) continue;
    sum = plus(sum, pull_of(within->octants[octant], width_squared / 4, index));
  }
  return sum;
}

static void move(body *moved) {
  moved->velocity = plus(moved->velocity, scaled(moved->acceleration, TIME_STEP));
  moved->position = plus(moved->position, scaled(moved->velocity, TIME_STEP));
}

static void step_share(unsigned hart, unsigned harts) {
  unsigned first = BODIES * hart / harts, last = BODIES * (hart + 1) / harts;
  for (unsigned step = 0; step < STEPS; step++) {
    measure_extent(step, first, last);
    if (hart == 0) {
      clear_cell(&cells[0]);
      cells_used = 1;
      next_to_pull = 0;
    }
    barrier_wait(&meeting, harts);
    for (unsigned i = first; i < last; i++) insert(i, extents[step]);
    barrier_wait(&meeting, harts);
    sum_cells(hart, harts);
    barrier_wait(&meeting, harts);
    double width = 2 * extents[step];
    unsigned index;
    while ((index = __atomic_fetch_add(&next_to_pull, 1, __ATOMIC_RELAXED)) < BODIES) {
      bodies[index].acceleration = pull_of(0, width * width, index);
    }
    barrier_wait(&meeting, harts);
    if (step == STEPS - 1) break;  // the accelerations are those of the positions
    for (unsigned i = first; i < last; i++) move(&bodies[i]);
  }
}

// ---- Checks

static void check_acceleration(unsigned index) {
  vector sum = {0, 0, 0};
  double strength = 0;
  for (unsigned other = 0; other < BODIES; other++) {
    if (other == index) continue;
    vector one = pull(bodies[index].position, bodies[other].position, bodies[other].mass);
    sum = plus(sum, one);
    strength += length(one);
  }
  expect(length(minus(sum, bodies[index].acceleration)) < TOLERANCE * strength,
         "an acceleration is near that of the direct sum");
}

int main(void) {
  place_bodies();

  kernel_begin();
  on_every_hart(step_share);
  kernel_end();

  double mass = 0;
  for (unsigned i = 0; i < BODIES; i++) mass += bodies[i].mass;
  expect(cells[0].mass == mass, "all bodies are in the tree");
  for (unsigned i = 0; i < BODIES; i += 8) check_acceleration(i);
  memcpy(kept, bodies, sizeof kept);
  for (unsigned i = 0; i < ARRAY_LENGTH(positions); i++) positions[i] = bodies[i].position;

  place_bodies();
  step_share(0, 1);
  expect(memcmp(kept, bodies, sizeof kept) == 0, "one hart alone moves the bodies alike");
  return 0;
}
