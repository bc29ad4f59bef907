#include "aliquot/cluster/cluster.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "aliquot/cluster/energies.hpp"
#include "aliquot/cluster/kernels/orient_kernels.hpp"
#include "aliquot/cluster/pair_sums.hpp"
#include "aliquot/cluster/segregation.hpp"
#include "aliquot/core/contract.hpp"
#include "aliquot/core/error.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/math/array_kernels.hpp"
#include "aliquot/math/dispatch.hpp"

namespace aliquot::cluster {

namespace {

using std::numbers::pi;

/// Purposes of random streams.
constexpr std::uint32_t stream_mass = 0x0C000001;
constexpr std::uint32_t stream_orbit = 0x0C000002;
constexpr std::uint32_t stream_binary = 0x0C000003;
constexpr std::uint32_t stream_segregation = 0x0C000004;

constexpr std::size_t draw_block = 2048;    ///< systems a thread draws at a time
constexpr std::size_t write_block = 32768;  ///< systems that are in memory while a file is written
constexpr std::size_t orbits_per_system = 4;
constexpr double au_per_pc = 206264.80624709636;

}  // namespace

Cluster::Cluster(ClusterSpec spec, std::uint64_t seed, Threads& threads)
    : spec_(std::move(spec)), seed_(seed), threads_(&threads) {
    const Equilibrium& model = *spec_.model;
    if (spec_.stars.has_value() == spec_.total_mass.has_value())
        throw ConfigError("either the number of stars or their total mass defines a cluster: give one of them");
    if (spec_.stars && *spec_.stars == 0) throw ConfigError("stars = 0 (a cluster needs a star)");
    if (spec_.total_mass && !(*spec_.total_mass > 0.0 && std::isfinite(*spec_.total_mass)))
        throw ConfigError(format("total mass = {} (must be positive)", *spec_.total_mass));
    if (!(spec_.segregation >= 0.0 && spec_.segregation <= 1.0))
        throw ConfigError(format("segregation = {} (S lies in [0, 1])", spec_.segregation));
    if (!(spec_.rotation >= -1.0 && spec_.rotation <= 1.0))
        throw ConfigError(format("rotation = {} (the share of stars turned round lies in [-1, 1])", spec_.rotation));
    if (spec_.virial_ratio && !(*spec_.virial_ratio >= 0.0 && std::isfinite(*spec_.virial_ratio)))
        throw ConfigError(format("virial ratio = {} (T / |U| cannot be negative; 0.5 is equilibrium)", *spec_.virial_ratio));
    if (spec_.segregation > 0.0 && model.components() > 1)
        throw ConfigError(
            "energy-ordered segregation of a model with several components (it segregates by itself): leave one out");
    check(spec_.binaries);
    if (spec_.binaries.fraction > 0.0 && spec_.units.length != "pc")
        throw ConfigError(
            format("binaries in {} units (their orbits are in AU and days): take pc-msun-kms or pc-msun-myr", spec_.units.name));
    if (spec_.binaries.fraction > 0.0 && (!spec_.masses || !spec_.component_edges.empty()))
        throw ConfigError("binaries need a mass function and a model of one component");
    for (std::size_t j = 0; j < model.components(); ++j)
        samplers_.emplace_back(model, j, spec_.method);
    if (!spec_.component_mass.empty()) {
        ALIQUOT_EXPECT(spec_.component_mass.size() == model.components());
        double sum = 0.0;
        for (std::size_t j = 0; j < model.components(); ++j)
            component_share_.push_back(sum += model.mass_fraction(j) / spec_.component_mass[j]);
        for (double& share : component_share_)
            share /= sum;
    }
    if (spec_.masses && spec_.binaries.fraction == 0.0 && spec_.component_edges.empty() &&
        spec_.masses->low() == spec_.masses->high())
        only_mass_ = spec_.masses->low();
    count_systems();
    if (spec_.unit_mass) {
        mass_factor_ = 1.0 / total_mass_;
        total_mass_ = 1.0;
    }
    velocity_unit_ = std::sqrt(spec_.units.gravitational_constant * total_mass_ /
                               (model.gravitational_constant() * model.total_mass() * spec_.length_unit));
    if (spec_.segregation > 0.0) order_orbits();
    if (spec_.virial_ratio) find_virial_factor();
}

Cluster::~Cluster() = default;

std::size_t Cluster::component_of(double mass, RandomStream& random) const {
    if (!component_share_.empty()) {
        const double u = random.uniform();
        const auto found = std::lower_bound(component_share_.begin(), component_share_.end(), u);
        return std::min(static_cast<std::size_t>(found - component_share_.begin()), component_share_.size() - 1);
    }
    if (spec_.component_edges.empty()) return 0;
    const auto found = std::upper_bound(spec_.component_edges.begin() + 1, spec_.component_edges.end() - 1, mass);
    return static_cast<std::size_t>(found - spec_.component_edges.begin()) - 1;
}

Cluster::System Cluster::drawn_system(std::size_t drawn) const {
    if (!spec_.mass_list.empty()) return {spec_.mass_list[drawn], spec_.mass_list[drawn], false, 0};
    if (only_mass_ > 0.0) return {only_mass_, only_mass_, false, 0};
    RandomStream random(seed_, stream_mass, drawn);
    if (!spec_.masses) {
        const std::size_t component = component_of(0.0, random);
        return {spec_.component_mass[component], spec_.component_mass[component], false, component};
    }
    // With a total mass every system decides by itself whether it is a binary; with a number of stars the first ones are.
    const bool binary = spec_.total_mass ? random.uniform() < spec_.binaries.fraction : drawn < binaries_;
    const double first = spec_.masses->quantile(random.uniform());
    if (!binary) return {first, first, false, component_of(first, random)};
    const double u = random.uniform();
    const double least = spec_.masses->low();
    const double second = spec_.binaries.pairing == Pairing::random ? spec_.masses->quantile(u) : least + u * (first - least);
    return {first + second, std::max(first, second), true, 0};
}

void Cluster::count_systems() {
    const std::size_t listed = spec_.mass_list.size();
    constexpr std::size_t most = std::size_t{1} << 31U;
    if (spec_.stars) {
        if (*spec_.stars > most) throw ConfigError(format("stars = {} (more than 2^31): ask for fewer", *spec_.stars));
        const auto bodies = static_cast<double>(*spec_.stars);
        binaries_ = static_cast<std::size_t>(std::llround(spec_.binaries.fraction * bodies / (1.0 + spec_.binaries.fraction)));
        binaries_ = std::min(binaries_, *spec_.stars / 2);
        systems_ = *spec_.stars - binaries_;
        if (listed > 0 && listed < systems_)
            throw ConfigError(format("{} stars from a list of {} masses: give a longer list or fewer stars", systems_, listed));
        for (std::size_t i = 0; i < systems_; ++i)
            total_mass_ += drawn_system(i).mass;
        return;
    }
    const double target = *spec_.total_mass;
    std::vector<std::uint32_t> singles;
    double before = 0.0;
    while (total_mass_ < target) {
        if (listed > 0 && systems_ == listed)
            throw ConfigError(
                format("total mass = {:.6g} (the list of masses holds {:.6g} in all): ask for less, or give a longer list",
                       target, total_mass_));
        if (systems_ == most) throw ConfigError(format("total mass = {:.6g} (more than 2^31 stars): ask for less", target));
        const System next = drawn_system(systems_);
        before = total_mass_;
        total_mass_ += next.mass;
        if (spec_.binaries.fraction > 0.0) (next.binary ? order_ : singles).push_back(static_cast<std::uint32_t>(systems_));
        ++systems_;
    }
    // The last one stays where that comes nearer to the target.
    if (target - before < total_mass_ - target) {
        if (systems_ == 1)
            throw ConfigError(format("total mass = {:.6g} (the first star alone has {:.6g}): ask for more, or for lighter stars",
                                     target, total_mass_));
        --systems_;
        total_mass_ = before;
        auto& list = !order_.empty() && order_.back() == systems_ ? order_ : singles;
        if (spec_.binaries.fraction > 0.0) list.pop_back();
    }
    binaries_ = order_.size();
    order_.insert(order_.end(), singles.begin(), singles.end());
}

void Cluster::order_orbits() {
    std::vector<double> masses(systems_);
    for (std::size_t i = 0; i < systems_; ++i)
        masses[i] = system(i).mass;
    std::vector<double> energies(orbits_per_system * systems_);
    threads_->for_each_block((energies.size() + draw_block - 1) / draw_block, [&](std::size_t block) {
        const std::size_t end = std::min((block + 1) * draw_block, energies.size());
        for (std::size_t i = block * draw_block; i < end; ++i) {
            RandomStream random(seed_, stream_orbit, i);
            const PhasePoint point = samplers_[0].draw(random);
            energies[i] =
                0.5 * (point.radial * point.radial + point.tangential * point.tangential) - spec_.model->potential(point.radius);
        }
    });
    RandomStream random(seed_, stream_segregation, 0);
    orbits_ = energy_ordered_orbits(masses, energies, spec_.segregation, random);
}

void Cluster::place_orbit(std::size_t component, RandomStream& random, std::size_t at, UnturnedStars& stars) const {
    PhasePoint point = samplers_[component].draw(random);
    stars.height[at] = random.uniform();
    stars.azimuth[at] = random.uniform();
    double turn = random.uniform();
    if (spec_.model->cold() && spec_.virial_ratio) {
        // At rest there is nothing to rescale: a normal velocity in each direction instead (Box & Muller).
        point.radial = std::sqrt(-2.0 * std::log(random.uniform())) * std::cos(2.0 * pi * random.uniform());
        point.tangential = std::sqrt(-2.0 * std::log(random.uniform()));
    }
    // Lynden-Bell's demon: v_phi changes sign, energy and angular momentum's size do not.
    if (spec_.rotation != 0.0 && (turn < 0.5) != (spec_.rotation > 0.0) && random.uniform() < std::abs(spec_.rotation))
        turn = 1.0 - turn;
    stars.radius[at] = point.radius;
    stars.radial[at] = point.radial;
    stars.tangential[at] = point.tangential;
    stars.turn[at] = turn;
}

template <typename Use>
void Cluster::for_each_system(std::size_t first, std::size_t end, const Use& use) const {
    const math::SimdLevel level = math::simd_level();
    const math::ArrayKernels& kernels = math::array_kernels(level);
    const OrientKernel orient = orient_kernel(level);
    const double speed = velocity_unit_ * virial_factor_;
    std::vector<std::uint64_t> numbers(orient_batch * RandomStream::ahead);
    std::array<System, orient_batch> systems;
    UnturnedStars stars{};
    TurnedStars turned{};
    for (std::size_t start = first; start < end; start += orient_batch) {
        const std::size_t count = std::min(orient_batch, end - start);
        if (orbits_.empty()) kernels.random_bits(seed_, stream_orbit, start, count, RandomStream::ahead / 2, numbers.data());
        for (std::size_t i = 0; i < count; ++i) {
            systems[i] = system(start + i);
            RandomStream random = orbits_.empty()
                                      ? RandomStream(seed_, stream_orbit, start + i, numbers.data() + i * RandomStream::ahead)
                                      : RandomStream(seed_, stream_orbit, orbits_[start + i]);
            place_orbit(systems[i].component, random, i, stars);
        }
        orient(stars, count, spec_.length_unit, speed, turned);
        for (std::size_t i = 0; i < count; ++i)
            use(start + i, systems[i], Motion{turned.x[i], turned.y[i], turned.z[i], turned.vx[i], turned.vy[i], turned.vz[i]});
    }
}

void Cluster::fill(std::size_t first, std::size_t count, const Centre& centre, Stars& stars, Centre& sum) const {
    const double speed_unit = spec_.units.velocity == "km/s" ? 1.0 : km_s_per_pc_myr;
    const auto put = [&](std::size_t at, double mass, const Motion& values) {
        stars.mass[at] = mass;
        stars.x[at] = values[0] - centre[0];
        stars.y[at] = values[1] - centre[1];
        stars.z[at] = values[2] - centre[2];
        stars.vx[at] = values[3] - centre[3];
        stars.vy[at] = values[4] - centre[4];
        stars.vz[at] = values[5] - centre[5];
    };
    const auto moved = [&](const Motion& motion, const RelativeOrbit& orbit, double share) {
        Motion values = motion;
        for (std::size_t k = 0; k < 3; ++k) {
            values[k] += share * orbit.position[k] / au_per_pc;
            values[k + 3] += share * orbit.velocity[k] / speed_unit;
        }
        return values;
    };
    // In blocks of fixed size whose sums are added in order: the same bits for any number of threads.
    std::vector<Centre> sums((count + draw_block - 1) / draw_block);
    threads_->for_each_block(sums.size(), [&](std::size_t block) {
        const std::size_t end = first + std::min((block + 1) * draw_block, count);
        for_each_system(first + block * draw_block, end, [&](std::size_t i, System one, const Motion& move) {
            one.mass *= mass_factor_;
            one.primary *= mass_factor_;
            for (std::size_t k = 0; k < move.size(); ++k)
                sums[block][k] += one.mass * move[k];
            const std::size_t at = first_row(i) - first_row(first);
            if (!one.binary) {
                put(at, one.mass, move);
                return;
            }
            RandomStream random(seed_, stream_binary, i);
            const RelativeOrbit orbit = relative_orbit(draw_orbit(spec_.binaries, one.primary, one.mass, random), one.mass);
            const double secondary = one.mass - one.primary;
            put(at, one.primary, moved(move, orbit, -secondary / one.mass));
            put(at + 1, secondary, moved(move, orbit, one.primary / one.mass));
        });
    });
    for (const Centre& part : sums)
        for (std::size_t k = 0; k < part.size(); ++k)
            sum[k] += part[k];
}

void Cluster::find_virial_factor() {
    if (*spec_.virial_ratio == 0.0) {
        virial_factor_ = 0.0;
        return;
    }
    // Systems as points: the energy inside binaries is not the cluster's.
    Stars points;
    points.resize(systems_);
    threads_->for_each_block((systems_ + draw_block - 1) / draw_block, [&](std::size_t block) {
        const std::size_t end = std::min((block + 1) * draw_block, systems_);
        for_each_system(block * draw_block, end, [&](std::size_t i, const System& one, const Motion& move) {
            points.mass[i] = one.mass * mass_factor_;
            points.x[i] = move[0];
            points.y[i] = move[1];
            points.z[i] = move[2];
            points.vx[i] = move[3];
            points.vy[i] = move[4];
            points.vz[i] = move[5];
        });
    });
    if (spec_.centre) move_to_centre_of_mass(points);
    const PairSums sums = potential_energy(points, spec_.units.gravitational_constant, 0.0, *threads_);
    virial_factor_ = rescale_to_virial_ratio(points, sums.energy, *spec_.virial_ratio);
}

SnapshotHeader Cluster::header() const {
    SnapshotHeader header;
    header.units = spec_.units;
    header.stars = stars();
    header.binaries = binaries_;
    const bool physical = spec_.units.length == "pc";
    header.length_unit_pc = physical ? spec_.model->virial_radius() * spec_.length_unit : 0.0;
    header.mean_mass_msun = physical ? total_mass_ / static_cast<double>(stars()) : 0.0;
    header.virial_ratio = spec_.virial_ratio.value_or(spec_.model->energies().virial_ratio());
    header.description = format("{}, seed {}", spec_.name, seed_);
    return header;
}

Stars Cluster::draw() const {
    Stars all;
    // Fresh memory costs as much as a third of the draws: columns side by side.
    const std::array<std::vector<double>*, 7> columns{&all.x, &all.y, &all.z, &all.vx, &all.vy, &all.vz, &all.mass};
    threads_->for_each_block(columns.size(), [&](std::size_t k) { columns[k]->resize(stars()); });
    Centre sum{};
    fill(0, systems_, {}, all, sum);
    if (!spec_.centre) return all;
    threads_->for_each_block(sum.size(), [&](std::size_t k) {
        const double shift = sum[k] / total_mass_;
        for (double& value : *columns[k])
            value -= shift;
    });
    return all;
}

void Cluster::write(StarSink& sink, const ProgressCallback& progress) const {
    Stars block;
    Centre centre{};
    Centre ignored{};
    const auto fill_block = [&](std::size_t first, const Centre& around, Centre& sum) {
        const std::size_t count = std::min(write_block, systems_ - first);
        block.resize(first_row(first + count) - first_row(first));
        fill(first, count, around, block, sum);
        return count;
    };
    if (spec_.centre) {
        // A pass to find the centre: drawing twice is cheaper than keeping all stars.
        for (std::size_t first = 0; first < systems_; first += write_block)
            fill_block(first, {}, centre);
        for (double& value : centre)
            value /= total_mass_;
    }
    for (std::size_t first = 0; first < systems_; first += write_block) {
        const std::size_t count = fill_block(first, centre, ignored);
        sink.write(block);
        if (progress)
            progress({"cluster", static_cast<double>(first + count) / static_cast<double>(systems_),
                      static_cast<double>(first_row(first + count)), "stars", ""});
    }
    sink.finish();
}

}  // namespace aliquot::cluster
