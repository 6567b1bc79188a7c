// SPDX-License-Identifier: Apache-2.0
import COfflineChild
import Foundation

/// A program to run that can neither outlive this process nor exceed its limits.
///
/// The program is killed with its whole session when the task is cancelled or the wall clock limit
/// is reached; the kernel kills it if this process dies for any reason. It inherits no descriptor,
/// no signal disposition and no environment variable, and leaves no program of its session behind.
/// `run` returns after the program is reaped.
package struct ChildProcess: Sendable {
    /// The standard input of the program.
    package enum Input: Sendable {
        /// No input.
        case none
        /// The content of these files in order, after the filter.
        case files([String], filter: SegmentFilter = .none)
        /// These bytes.
        case bytes([UInt8])
    }

    /// The resources that the program may use.
    package struct Limits: Hashable, Sendable {
        /// The processor time in seconds.
        package var cpuSeconds = 60
        /// The address space in bytes; a program uses only a part of what it maps.
        package var memoryBytes = 2 << 30
        /// The size in bytes of each file that it writes.
        package var fileBytes: Int64 = 16 << 20
        /// The time from start to exit.
        package var wallClock = Duration.seconds(120)
        /// The bytes of standard output to keep; the rest is dropped.
        package var outputBytes = 1 << 20

        /// Creates the limits for a small job.
        package init() {}
    }

    /// The way in which the program ended.
    package enum Status: Hashable, Sendable {
        /// It exited with this code.
        case exited(Int)
        /// A signal terminated it.
        case killed(bySignal: Int)
    }

    /// The outcome of a run.
    package struct Result: Sendable {
        /// The exit code, or the signal that terminated the program.
        package var status: Status
        /// The beginning of its standard output.
        package var output: [UInt8] = []
        /// Whether output beyond the limit was dropped.
        package var isOutputTruncated = false
        /// The last lines of its standard error, without control characters.
        package var errorTail = ""
        /// The bytes of input that it consumed.
        package var consumedInputBytes: Int64 = 0
        /// Whether it consumed all of its input; a program may exit successfully without.
        package var consumedAllInput = true
        /// The contents of the input's segments, as far as the filter reads them.
        package var inputContents: [SegmentContents] = []
        /// The damage of the written input that the child did not read to its end.
        package var inputDamage: MediaError?
    }

    /// The absolute path of the program.
    package var executable: String
    /// The arguments, without the program's own name.
    package var arguments: [String]
    /// The working directory.
    package var directory: String
    /// The standard input.
    package var input = Input.none
    /// The resource limits.
    package var limits = Limits()
    /// Whether the kernel can keep a program from the network.
    package static var canLimitNetwork: Bool { offline_child_can_limit_network() != 0 }

    /// The environment variables beside `PATH` and `LC_ALL`, each with its name.
    package var variables: [String] = []
    /// The only TCP port to which the program can connect, on kernels with Landlock; 0 for none.
    package var networkPort: UInt16 = 0
    /// The niceness of the lowest priority.
    static let lowestPriority = 19

    /// How far the program steps back for others, from 0 to `lowestPriority`.
    var niceness = 0
    /// Whether the program can connect to all ports.
    package var keepsNetwork = false

    /// Creates a program to run; `run` starts it.
    package init(
        executable: String,
        arguments: [String],
        directory: String = "/",
        input: Input = .none,
        limits: Limits = Limits()
    ) {
        self.executable = executable
        self.arguments = arguments
        self.directory = directory
        self.input = input
        self.limits = limits
    }

    /// The last component of the program's path.
    var name: Substring { executable.split(separator: "/").last ?? "" }

    /// Runs the program until it ends.
    ///
    /// - Parameter progress: Called on a private thread with the bytes of input consumed so far,
    ///   about once per MiB.
    /// - Returns: The outcome; a nonzero exit code and a signal are not errors here.
    /// - Throws: `.cancelled`, `.timedOut`, `.cannotRead` for its input, or `.toolMissing` if it
    ///   cannot be started.
    package func run(
        progress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws(MediaError) -> Result {
        let cancellation = ChildCancellation()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // The kernel kills the child when the thread that started it exits, so that thread
                // must live until the child is reaped.
                Thread.detachNewThread {
                    continuation.resume(returning: Self.outcome(self, cancellation, progress))
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
        return try outcome.get()
    }

    private static func outcome(
        _ child: ChildProcess,
        _ cancellation: ChildCancellation,
        _ progress: (Int64) -> Void
    ) -> Swift.Result<Result, MediaError> {
        do throws(MediaError) {
            let run = try RunningChild(child, cancellation: cancellation)
            return .success(try run.finish(progress: progress))
        } catch {
            return .failure(error)
        }
    }
}
