// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// The schedule of a file's syncs: after a number of written bytes and on request.
///
/// Several requests during a sync cause only one further sync.
final class SyncSchedule: Sendable {
    /// The requests for a sync, until `finish`.
    let requests: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let limit: Int64
    private let unsynced = Lock<Int64>(0)
    private let failure = Lock<(any Error)?>(nil)

    init(every limit: Int64) {
        self.limit = limit
        (requests, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds written bytes and requests a sync when the limit is reached.
    func addWritten(_ count: Int64) {
        let isDue = unsynced.withLock { unsynced in
            unsynced += count
            guard unsynced >= limit else { return false }
            unsynced = 0
            return true
        }
        if isDue { request() }
    }

    func request() {
        continuation.yield()
    }

    func finish() {
        continuation.finish()
    }

    /// Stores the first failure of a sync.
    ///
    /// The system reports a lost write only once, so that a later sync may succeed.
    func fail(_ error: any Error) {
        failure.withLock { $0 = $0 ?? error }
    }

    func throwFailure() throws {
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
