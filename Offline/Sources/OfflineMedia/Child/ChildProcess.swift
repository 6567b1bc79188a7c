// SPDX-License-Identifier: Apache-2.0
import COfflineChild
import Foundation

/// A program to run that can neither outlive this process nor exceed the limits.
///
/// Cancellation of the task and the wall clock limit kill the program together with the whole
/// session. The kernel kills the program if this process dies for any reason. The program inherits
/// no descriptor, no signal disposition and no environment variable, and no program of the session
/// stays behind. `run` returns after the program is reaped.
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
        /// The address space in bytes.
        ///
        /// A program uses only a part of the memory that the program maps.
        package var memoryBytes = 2 << 30
        /// The size in bytes of each file that the program writes.
        package var fileBytes: Int64 = 16 << 20
        /// The time from start to exit.
        package var wallClock = Duration.seconds(120)
        /// The bytes of standard output to keep.
        ///
        /// The rest is dropped.
        package var outputBytes = 1 << 20

        /// Creates the limits for a small job.
        package init() {}
    }

    /// The way in which the program ended.
    package enum Status: Hashable, Sendable {
        /// The program exited with this code.
        case exited(Int)
        /// A signal terminated the program.
        case killed(bySignal: Int)
    }

    /// The outcome of a run.
    package struct Result: Sendable {
        /// The exit code, or the signal that terminated the program.
        package var status: Status
        /// The beginning of the standard output.
        package var output: [UInt8] = []
        /// Whether output beyond the limit was dropped.
        package var isOutputTruncated = false
        /// The last lines of the standard error, without control characters.
        package var errorTail = ""
        /// The bytes of input that the program consumed.
        package var consumedInputBytes: Int64 = 0
        /// Whether the program consumed all of the input.
        ///
        /// A program may exit successfully before that.
        package var consumedAllInput = true
        /// The contents of the input's segments, as far as the filter reads the segments.
        package var inputContents: [SegmentContents] = []
        /// The damage of the written input if the child did not read all of the input.
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

    /// The environment variables beside `PATH` and `LC_ALL`, each as `NAME=value`.
    package var variables: [String] = []
    /// The only TCP port to which the program can connect, on kernels with Landlock, or 0 for none.
    package var networkPort: UInt16 = 0
    /// The niceness of the lowest priority.
    static let lowestPriority = 19

    /// How far the program steps back for other programs, from 0 to `lowestPriority`.
    var niceness = 0
    /// Whether the program can connect to all ports.
    package var keepsNetwork = false

    /// Creates a program that `run` starts.
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
    /// - Returns: The outcome. A nonzero exit code and a signal are not errors here.
    /// - Throws: `.cancelled`, `.timedOut`, `.cannotRead` for the input, or `.toolMissing` if the
    ///   program cannot be started.
    package func run(
        progress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws(MediaError) -> Result {
        let cancellation = ChildCancellation()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // The kernel kills the child when the thread that started the child exits, so that
                // thread must live until the child is reaped.
                Thread.detachNewThread {
                    continuation.resume(returning: Self.outcome(of: self, cancellation, progress))
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
        return try outcome.get()
    }

    private static func outcome(
        of child: ChildProcess,
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
