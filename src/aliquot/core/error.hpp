#pragma once

#include <stdexcept>
#include <string>

namespace aliquot {

/// Exit codes of the command line, after sysexits(3) and the shell's habit for signals.
enum class ExitCode : int {
    ok = 0,
    usage = 64,        ///< the command line itself is wrong
    data = 65,         ///< an input's content is wrong
    no_input = 66,     ///< an input is missing or cannot be opened
    internal = 70,     ///< a fault of ours
    io = 74,           ///< reading or writing failed on the way
    stopped = 75,      ///< a limit was reached; what was done is kept and marked as unfinished
    config = 78,       ///< the configuration is wrong
    interrupted = 130  ///< stopped by the user
};

/// Root of everything the library throws. A message says *what is wrong (why that is wrong) what to do*.
class Error : public std::runtime_error {
  public:
    Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
    [[nodiscard]] ExitCode exit_code() const noexcept { return code_; }

  private:
    ExitCode code_;
};

/// A configuration (TOML key, model definition, option) that cannot mean anything.
class ConfigError : public Error {
  public:
    explicit ConfigError(const std::string& message) : Error(ExitCode::config, message) {}
};

/// An input file whose content is wrong; the message names file and place. `no_input` where the file is not there at all.
class DataError : public Error {
  public:
    explicit DataError(const std::string& message, ExitCode code = ExitCode::data) : Error(code, message) {}
};

/// A computation that cannot go on: no convergence, an impossible value.
class NumericError : public Error {
  public:
    explicit NumericError(const std::string& message) : Error(ExitCode::data, message) {}
};

/// Memory, disk or another resource gave out.
class ResourceError : public Error {
  public:
    explicit ResourceError(const std::string& message) : Error(ExitCode::io, message) {}
};

/// The user asked to stop and there is nothing to keep.
class Interrupted : public Error {
  public:
    explicit Interrupted(const std::string& message) : Error(ExitCode::interrupted, message) {}
};

/// A broken contract inside the program: always a fault of ours, never of the user.
class InternalError : public Error {
  public:
    explicit InternalError(const std::string& message) : Error(ExitCode::internal, message) {}
};

}  // namespace aliquot
