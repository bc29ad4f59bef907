#include "aliquot/infer/checkpoint.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

#include "aliquot/core/error.hpp"
#include "aliquot/core/fnv_hash.hpp"
#include "aliquot/core/format.hpp"
#include "aliquot/core/random.hpp"
#include "aliquot/core/version.hpp"
#include "aliquot/infer/streams.hpp"
#include "aliquot/io/atomic_file.hpp"

namespace aliquot::infer {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view magic = "ALIQCKPT";
constexpr std::uint64_t format_number = 3;
constexpr std::size_t checksum_bytes = sizeof(std::uint64_t);
constexpr std::size_t header_bytes = magic.size() + 2 * sizeof(std::uint64_t);
constexpr std::size_t probe_points = 16;
constexpr std::size_t longest_quote = 80;

template <typename T>
concept Number = std::is_arithmetic_v<T>;

/// Writes values one after another and hashes them; without a file it only counts their bytes.
class Output {
  public:
    explicit Output(io::AtomicFile* file) : file_(file) {}

    void bytes(std::string_view data) {
        size_ += data.size();
        if (file_ == nullptr) return;
        hash_.add(data);
        file_->write(data);
    }
    template <Number T>
    void operator()(const T& value) {
        bytes({reinterpret_cast<const char*>(&value), sizeof value});
    }
    void operator()(const std::string& text) {
        (*this)(std::uint64_t{text.size()});
        bytes(text);
    }
    void operator()(const std::vector<double>& values) {
        (*this)(std::uint64_t{values.size()});
        bytes({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)});
    }
    void operator()(const std::vector<std::vector<double>>& lists) {
        (*this)(std::uint64_t{lists.size()});
        for (const auto& list : lists)
            (*this)(list);
    }
    void operator()(const Matrix<double>& matrix) {
        (*this)(std::uint64_t{matrix.rows()});
        (*this)(std::uint64_t{matrix.view().columns()});
        bytes({reinterpret_cast<const char*>(matrix.data()), matrix.rows() * matrix.view().columns() * sizeof(double)});
    }
    void operator()(const RankCorrelation& correlation) {
        (*this)(correlation.sum());
        (*this)(std::uint64_t{correlation.count()});
    }

    [[nodiscard]] std::uint64_t size() const { return size_; }
    [[nodiscard]] std::uint64_t hash() const { return hash_.value(); }

  private:
    io::AtomicFile* file_;
    std::uint64_t size_ = 0;
    FnvHash hash_;
};

/// Reads back what Output wrote; `name` is the file's, for messages.
class Input {
  public:
    Input(std::string_view left, const std::string& name) : left_(left), name_(name) {}

    template <Number T>
    void operator()(T& value) {
        const std::string_view data = take(1, sizeof value);
        std::memcpy(&value, data.data(), data.size());
    }
    void operator()(bool& value) {
        char byte = 0;
        (*this)(byte);
        value = byte != 0;
    }
    void operator()(std::string& text) {
        const auto size = count();
        text = take(size, 1);
    }
    void operator()(std::vector<double>& values) {
        const auto size = count();
        const std::string_view data = take(size, sizeof(double));
        values.resize(size);
        if (!data.empty()) std::memcpy(values.data(), data.data(), data.size());
    }
    void operator()(std::vector<std::vector<double>>& lists) {
        const auto size = count();
        lists.clear();
        for (std::uint64_t i = 0; i < size; ++i)
            (*this)(lists.emplace_back());
    }
    void operator()(Matrix<double>& matrix) {
        const auto rows = count();
        const auto columns = count();
        if (columns > left_.size() || (columns == 0 && rows > 0)) fail();
        const std::string_view data = take(rows, columns * sizeof(double));
        matrix = Matrix<double>(rows, columns);
        if (!data.empty()) std::memcpy(matrix.data(), data.data(), data.size());
    }
    void operator()(RankCorrelation& correlation) {
        double sum = 0.0;
        (*this)(sum);
        correlation = RankCorrelation(sum, count());
    }
    [[nodiscard]] std::uint64_t count() {
        std::uint64_t value = 0;
        (*this)(value);
        return value;
    }

    [[nodiscard]] bool at_end() const { return left_.empty(); }
    [[noreturn]] void fail() const {
        throw DataError(
            format("{}: not a checkpoint of this program (its parts do not fit together): delete it and start again "
                   "without --resume",
                   name_));
    }

  private:
    std::string_view take(std::uint64_t items, std::size_t bytes_each) {
        if (bytes_each > 0 && items > left_.size() / bytes_each) fail();
        const std::string_view data = left_.substr(0, items * bytes_each);
        left_.remove_prefix(data.size());
        return data;
    }

    std::string_view left_;
    const std::string& name_;
};

/// Every member of the state, once, for writing and for reading.
template <typename Archive, typename State>
void visit(Archive& archive, State& s) {
    archive(s.unit);
    archive(s.log_likelihood);
    archive(s.label);
    archive(s.log_birth);
    archive(s.dead_unit);
    archive(s.dead_log_likelihood);
    archive(s.dead_log_birth);
    archive(s.dead_live_count);
    archive(s.start_contour);
    archive(s.log_start_volume);
    archive(s.log_start_volume_sd);
    archive(s.log_volume);
    archive(s.log_evidence);
    for (std::size_t half = 0; half < 2; ++half) {
        archive(s.covariance[half]);
        archive(s.cholesky[half]);
        archive(s.covariance_weight[half]);
        archive(s.modes[half].centres);
        archive(s.modes[half].log_radius);
        archive(s.modes[half].scale);
    }
    archive(s.deaths_since_covariance);
    archive(s.deaths_since_modes);
    archive(s.bracket);
    archive(s.slices);
    archive(s.from_prior);
    archive(s.batches);
    archive(s.prior_draws);
    archive(s.calls);
    archive(s.slice_calls);
    archive(s.slices_made);
    archive(s.chains_made);
    archive(s.window_calls);
    archive(s.window_slices);
    archive(s.nan_likelihoods);
    archive(s.failed_slices);
    archive(s.amplitude_rounds);
    archive(s.leaps);
    archive(s.plateau_points);
    archive(s.nan_examples);
    archive(s.insertion_ranks);
    archive(s.rank_correlation);
    archive(s.recent_rank_correlation);
}

void write_body(Output& out, const NestedState& state, double seconds, const RunIdentity& identity) {
    out(std::uint64_t{identity.size()});
    for (const IdentityField& field : identity) {
        out(field.name);
        out(field.value);
    }
    out(seconds);
    visit(out, state);
}

bool fits_together(const NestedState& s) {
    const std::size_t live = s.log_likelihood.size();
    const std::size_t dead = s.dead_log_likelihood.size();
    const std::size_t d = s.unit.view().columns();
    const auto square = [&](const std::vector<double>& matrix) { return matrix.empty() || matrix.size() == d * d; };
    const auto whole = [&](const Modes& modes) {
        return modes.centres.size() == modes.count() * modes.scale.size() && (modes.count() == 0 || modes.scale.size() == d);
    };
    return live > 0 && s.unit.rows() == live && s.label.size() == live && s.log_birth.size() == live &&
           s.dead_unit.rows() == dead && s.dead_unit.view().columns() == d && s.dead_log_birth.size() == dead &&
           s.dead_live_count.size() == dead && square(s.covariance[0]) && square(s.covariance[1]) && square(s.cholesky[0]) &&
           square(s.cholesky[1]) && whole(s.modes[0]) && whole(s.modes[1]);
}

std::string quoted(std::string_view line) {
    return format("\"{}\"", line.size() > longest_quote ? std::string(line.substr(0, longest_quote)) + "..." : std::string(line));
}

/// "nlive was "400", is "500"", or the first line of a longer text that differs.
std::string difference(const std::string& name, std::string_view was, std::string_view is) {
    const bool lines = was.find('\n') != std::string_view::npos || is.find('\n') != std::string_view::npos;
    for (;;) {
        const std::string_view line_was = was.substr(0, was.find('\n'));
        const std::string_view line_is = is.substr(0, is.find('\n'));
        if (line_was != line_is || was == is)
            return format("{}{} was {}, is {}", lines ? "in the " : "", name, quoted(line_was), quoted(line_is));
        was.remove_prefix(std::min(line_was.size() + 1, was.size()));
        is.remove_prefix(std::min(line_is.size() + 1, is.size()));
    }
}

void check_identity(Input& in, const std::string& name, const RunIdentity& identity) {
    const auto fields = in.count();
    const auto refuse = [&](const std::string& what) {
        throw DataError(
            format("{}: a checkpoint of another run ({}): restore what differs, or start again without --resume", name, what));
    };
    for (std::uint64_t i = 0; i < fields; ++i) {
        IdentityField field;
        in(field.name);
        in(field.value);
        const auto mine =
            std::find_if(identity.begin(), identity.end(), [&](const IdentityField& own) { return own.name == field.name; });
        if (mine == identity.end()) refuse(format("it depends on {}, this one does not", field.name));
        if (mine->value != field.value) refuse(difference(field.name, field.value, mine->value));
    }
    if (fields != identity.size()) refuse("it says less about itself than this one");
}

}  // namespace

RunIdentity run_identity(const Problem& problem, const NestedOptions& options) {
    const std::size_t d = problem.dimension();
    Matrix<double> unit(probe_points, d);
    Matrix<double> parameters(probe_points, d);
    std::vector<double> log_likelihood(probe_points);
    for (std::size_t i = 0; i < probe_points; ++i) {
        RandomStream random(0, streams::prior_draws, i);
        for (double& u : unit.row(i))
            u = random.uniform();
    }
    problem.transform(std::as_const(unit).view(), parameters.view());
    problem.log_likelihood(std::as_const(parameters).view(), log_likelihood);
    for (double& value : log_likelihood) {
        if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
    }
    FnvHash hash;
    hash.add(std::span<const double>(parameters.data(), probe_points * d));
    for (const std::size_t j : problem.periodic())
        hash.add(std::vector<double>{static_cast<double>(j)});
    hash.add(log_likelihood);
    return {{"version of aliquot", version},
            {"number of parameters", format("{}", d)},
            {"nlive", format("{}", options.live_points)},
            {"dlogz", format("{}", options.dlogz)},
            {"seed", format("{}", options.seed)},
            {"batch", format("{}", options.batch)},
            {"slices_per_dimension", format("{}", options.slices_per_dimension)},
            {"ln L at points of the prior", format("{:016x}", hash.value())}};
}

void write_checkpoint(const std::filesystem::path& path, const NestedState& state, double seconds, const RunIdentity& identity) {
    Output counter(nullptr);
    write_body(counter, state, seconds, identity);
    io::AtomicFile file(path);
    Output out(&file);
    out.bytes(magic);
    out(format_number);
    out(std::uint64_t{header_bytes + counter.size() + checksum_bytes});
    write_body(out, state, seconds, identity);
    out(out.hash());
    file.commit();
}

Checkpoint read_checkpoint(const std::filesystem::path& path, const RunIdentity& identity) {
    const std::string name = path.string();
    const std::string content = io::read_file(path);
    const std::string_view bytes = content;
    const std::string again = "start again without --resume";
    const auto truncated = [&](const std::string& expected) {
        throw DataError(format("{}: truncated ({} bytes of {}): {}", name, bytes.size(), expected, again));
    };
    if (!bytes.substr(0, magic.size()).starts_with(magic.substr(0, bytes.size())))
        throw DataError(format("{}: not a checkpoint (it does not begin with {}): {}", name, magic, again));
    if (bytes.size() < header_bytes) truncated("its header alone");
    Input header(bytes.substr(magic.size(), header_bytes - magic.size()), name);
    if (const auto number = header.count(); number != format_number)
        throw DataError(
            format("{}: checkpoint format {} (this program writes and reads {}): {}", name, number, format_number, again));
    const std::uint64_t size = header.count();
    if (bytes.size() < size) truncated(format("{}", size));
    FnvHash hash;
    hash.add(bytes.substr(0, bytes.size() - checksum_bytes));
    Input checksum(bytes.substr(bytes.size() - checksum_bytes), name);
    if (bytes.size() != size || checksum.count() != hash.value())
        throw DataError(format("{}: damaged (its checksum does not match its content): {}", name, again));

    Input in(bytes.substr(header_bytes, bytes.size() - header_bytes - checksum_bytes), name);
    check_identity(in, name, identity);
    Checkpoint checkpoint;
    in(checkpoint.seconds);
    visit(in, checkpoint.state);
    if (!in.at_end() || !fits_together(checkpoint.state)) in.fail();
    return checkpoint;
}

}  // namespace aliquot::infer
