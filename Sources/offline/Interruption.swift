// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation

/// Ctrl-C and requests to end, as values instead of sudden death.
enum Interruption {
    /// The signals that end the program.
    ///
    /// What was ignored when it began stays so: `nohup` means it.
    private static let numbers = [SIGINT, SIGTERM, SIGHUP].filter { !isIgnored($0) }

    /// Whether the process ignores the signal.
    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        // Invariant: both are the address of a C function or a small number in its place, one word.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// The signals that arrive while the stream lives; the second one ends the process at once.
    static func signals() -> AsyncStream<Int32> {
        AsyncStream { continuation in
            let sources = numbers.map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler {
                    continuation.yield(number)
                    // A person who asks twice does not want to wait.
                    signal(number, SIG_DFL)
                }
                source.resume()
                return source
            }
            // Unchecked: Dispatch promises that a source may be cancelled from any thread.
            nonisolated(unsafe) let ended = sources
            continuation.onTermination = { _ in
                for source in ended { source.cancel() }
            }
        }
    }

    /// Runs the work until it ends or a signal comes.
    ///
    /// - Returns: Nil when a signal came first; the work was cancelled then and has ended.
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
