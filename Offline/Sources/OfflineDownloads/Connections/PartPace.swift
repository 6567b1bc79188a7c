// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import OfflineSources
import Tidings
import TidingsHTTP
import TidingsLock

/// The number of concurrent part requests of one download, and the clock for the measurements.
///
/// The pace is safe to use from any thread.
final class PartPace: Sendable {
    private let state = Lock(PartParallelism())
    private let elapsed: @Sendable () -> Duration

    /// Creates the pace of a download that starts now.
    init(on clock: any Clock<Duration>) {
        elapsed = clock.stopwatch()
    }

    /// The time since the start of the download.
    var now: Duration { elapsed() }

    /// The number of requests that may run.
    var count: Int { state.withLock { $0.count } }

    /// Records a part that was fetched.
    func finish(_ bytes: Int64, running: Int, permitted: Int) {
        let now = self.now
        state.withLock { $0.finish(bytes, at: now, running: running, permitted: permitted) }
    }

    /// Records the failure of a request, if fewer requests may help.
    func fail(with error: any Error, begunAt begin: Duration) {
        guard DownloadError(error).asksForFewerRequests else { return }
        let now = self.now
        state.withLock { $0.refuse(begunAt: begin, at: now) }
    }
}

extension Clock where Duration == Swift.Duration {
    /// Returns a function that returns the time since now.
    fileprivate func stopwatch() -> @Sendable () -> Duration {
        let begin = now
        return { begin.duration(to: self.now) }
    }
}

extension DownloadError {
    /// Whether the server may have refused or stalled the request because of too many requests.
    var asksForFewerRequests: Bool {
        if status == 429 || status == 503 { return true }
        guard let cause = cause as? HTTPError else { return false }
        return cause.code == .timedOut || cause.code == .cannotConnect
    }
}
