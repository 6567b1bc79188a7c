// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Runs a program that can neither outlive this one nor exceed its limits.
///
/// The program is killed with its whole session when the task is cancelled, when its time is over,
/// and by the kernel when this process dies in whatever way. It inherits no descriptor, no signal
/// setting and nothing of the environment. It is waited for before `run` returns.
package struct ChildProcess: Sendable {
    /// What the program reads from its standard input.
    package enum Input: Sendable {
        /// Nothing.
        case none
        /// These files one after another, changed on their way as the filter says.
        case files([String], filter: SegmentFilter = .none)
    }

    /// How much the program may use.
    package struct Limits: Hashable, Sendable {
        /// Seconds of work of a processor.
        package var cpuSeconds = 60
        /// Bytes of address space, most of which is never used.
        package var memoryBytes = 2 << 30
        /// Bytes of any one file it writes.
        package var fileBytes: Int64 = 16 << 20
        /// Time until it must have ended.
        package var wallClock = Duration.seconds(120)
        /// Bytes of its standard output that are kept; the rest is dropped.
        package var outputBytes = 1 << 20

        package init() {}
    }

    /// How the program ended.
    package enum Status: Hashable, Sendable {
        case exited(Int)
        case killed(bySignal: Int)
    }

    /// What is known when the program has ended.
    package struct Result: Sendable {
        package var status: Status
        /// The beginning of its standard output.
        package var output: [UInt8] = []
        /// Whether there was more of it.
        package var isOutputCut = false
        /// The last lines of its standard error, without control characters.
        package var errorTail = ""
        /// The bytes of its input that it took.
        package var fedBytes: Int64 = 0
        /// Whether it took all of its input; it may have ended well without.
        package var tookAllInput = true
    }

    /// The absolute path of the program.
    package var executable: String
    /// Its arguments, without its own name.
    package var arguments: [String]
    /// The folder it works in.
    package var directory: String
    package var input = Input.none
    package var limits = Limits()

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

    /// The program's name without its folder.
    var name: Substring { executable.split(separator: "/").last ?? "" }

    /// Runs the program to its end.
    ///
    /// - Parameter progress: Called on a thread of its own with the bytes of input fed so far,
    ///   about once for each MiB.
    /// - Returns: How it ended; a failure of the program is not an error here.
    /// - Throws: `.cancelled`, `.timedOut`, `.cannotRead` for its input, `.failed` if it did not
    ///   start.
    package func run(
        progress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws(MediaError) -> Result {
        let stop = ChildStop()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // The kernel ties the child to the thread that starts it: it must live as long.
                Thread.detachNewThread {
                    continuation.resume(returning: Self.outcome(self, stop, progress))
                }
            }
        } onCancel: {
            stop.stop()
        }
        return try outcome.get()
    }

    private static func outcome(
        _ child: ChildProcess,
        _ stop: ChildStop,
        _ progress: (Int64) -> Void
    ) -> Swift.Result<Result, MediaError> {
        do throws(MediaError) {
            let run = try ChildRun(child, stop: stop)
            return .success(try run.finish(progress: progress))
        } catch {
            return .failure(error)
        }
    }
}
