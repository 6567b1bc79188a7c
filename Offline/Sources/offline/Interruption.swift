// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation

/// Signals that end the program, as values, so that the program can clean up.
enum Interruption {
    /// The signals that end the program.
    ///
    /// Excludes signals that were ignored at the start, such as SIGHUP under `nohup`.
    private static let numbers = [SIGINT, SIGTERM, SIGHUP].filter { !isIgnored($0) }

    /// Whether the process ignores the signal.
    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        // Invariant: both are one word, the address of a C function or a small integer.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Returns a stream of the signals that arrive; the second one ends the process at once.
    static func signals() -> AsyncStream<Int32> {
        AsyncStream { continuation in
            let sources = numbers.map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler {
                    continuation.yield(number)
                    // A second signal means that the user does not want to wait.
                    signal(number, SIG_DFL)
                }
                source.resume()
                return source
            }
            // Unchecked: Dispatch allows any thread to cancel a source.
            nonisolated(unsafe) let activeSources = sources
            continuation.onTermination = { _ in
                for source in activeSources { source.cancel() }
            }
        }
    }

    /// Runs the work until it ends or a signal arrives.
    ///
    /// - Returns: The work's value; nil if a signal arrived first. The work is then cancelled, and
    ///   it has ended.
    static func race<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        let signals = signals()
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                for await _ in signals { break }
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}
