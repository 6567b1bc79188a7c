// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation

/// Signals that end the program, as values, so that the program can clean up.
enum Interruption {
    /// The signals that end the program.
    ///
    /// Signals that were ignored at the start are excluded, such as SIGHUP under `nohup`.
    private static let numbers = [SIGINT, SIGTERM, SIGHUP].filter { !isIgnored($0) }

    /// Whether the process ignores the signal.
    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        // Invariant: both are one word, which is the address of a C function or a small integer.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Returns a stream of the signals that arrive.
    ///
    /// A repeated signal ends the process immediately.
    ///
    /// Signals are caught from the return of this function to the end of the stream.
    static func signals() -> AsyncStream<Int32> {
        AsyncStream { continuation in
            let source = DispatchSource.makeReadSource(fileDescriptor: channel.output)
            source.setEventHandler {
                for number in arrivedSignals() { continuation.yield(number) }
            }
            source.resume()
            for number in numbers { catchOnce(number) }
            // Unchecked: Dispatch allows any thread to cancel a source.
            nonisolated(unsafe) let activeSource = source
            continuation.onTermination = { _ in
                for number in numbers { signal(number, SIG_DFL) }
                activeSource.cancel()
            }
        }
    }

    /// The pipe that carries signals from the signal handler to the program.
    ///
    /// A Dispatch source would lose all signals from before the registration of the source, and all
    /// signals for which an earlier source existed.
    private static let channel: (output: Int32, input: Int32) = {
        var ends: [Int32] = [0, 0]
        precondition(pipe(&ends) == 0, "no pipe: \(String(cString: strerror(errno)))")
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        return (ends[0], ends[1])
    }()

    /// Catches the next signal of this number.
    ///
    /// The signal after that has the usual effect.
    private static func catchOnce(_ number: Int32) {
        // The handler must not be the first to open the pipe.
        _ = channel
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { number in
            let error = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = write(Interruption.channel.input, &byte, 1)
            errno = error
        }
        action.sa_flags = SA_RESTART | Int32(bitPattern: UInt32(SA_RESETHAND))
        sigaction(number, &action, nil)
    }

    private static func arrivedSignals() -> [Int32] {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = read(channel.output, &bytes, bytes.count)
        return bytes.prefix(max(count, 0)).map(Int32.init)
    }

    /// Runs the work until the work ends or a signal arrives.
    ///
    /// - Parameters:
    ///   - work: The work.
    ///   - endsWork: Called with the signal. Returns false if the work continues to the end.
    /// - Returns: The work's value, or nil if a signal arrived first. In that case the work has
    ///   been cancelled and has ended.
    /// - Throws: The error of the work, or of `endsWork`.
    static func race<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value,
        ending endsWork: @escaping @Sendable (Int32) async throws -> Bool = { _ in true }
    ) async throws -> Value? {
        let signals = signals()
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                for await signal in signals where try await endsWork(signal) { break }
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}
