// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Says when a file that is being written should be synced: after so many bytes, and on request.
///
/// Requests that come while a sync runs fold into one.
final class SyncSchedule: Sendable {
    let requests: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let limit: Int64
    private let unsynced = Lock<Int64>(0)
    private let failure = Lock<(any Error)?>(nil)

    init(every limit: Int64) {
        self.limit = limit
        (requests, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Counts bytes that were written.
    func wrote(_ count: Int64) {
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

    /// Remembers a failed sync: the system reports a lost write once, a later sync may succeed.
    func fail(_ error: any Error) {
        failure.withLock { $0 = $0 ?? error }
    }

    func throwFailure() throws {
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
