// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineDownloads
import OfflineModel
import TidingsLock

/// Runs one check after the other at the times of an agenda.
final class FeedLoop: Sendable {
    private let connectivity: ConnectivityMonitor
    private let configuration: LibraryConfiguration
    private let agenda = Lock(FeedAgenda())
    private let agendaChanged = WakeSignal()

    init(_ connectivity: ConnectivityMonitor, _ configuration: LibraryConfiguration) {
        self.connectivity = connectivity
        self.configuration = configuration
    }

    /// Changes the agenda, and chooses the next step again.
    func change(_ change: (inout FeedAgenda) -> Void) {
        agenda.withLock { change(&$0) }
        agendaChanged.raise()
    }

    /// Runs until the task is cancelled.
    func run(_ check: (FeedID) async throws -> Void) async {
        while !Task.isCancelled {
            let isOffline = connectivity.isOffline
            let step = agenda.withLock { $0.next(at: configuration.now(), isOffline: isOffline) }
            switch step {
            case .check(let id):
                do {
                    try await check(id)
                } catch {
                    change { $0.fail(id, error, at: configuration.now()) }
                }
            case .wait(let duration): await pause(duration, isOffline: isOffline)
            case .rest: await pause(nil, isOffline: isOffline)
            }
        }
    }

    /// Sleeps until the duration has passed, the network returns or the agenda changes.
    ///
    /// Without a duration, only a change of the agenda ends the sleep.
    private func pause(_ duration: Duration?, isOffline: Bool) async {
        await agendaChanged.wait(until: duration) { [connectivity, clock = configuration.clock] in
            try await connectivity.sleep(for: $0, on: clock, sinceOffline: isOffline)
        }
    }
}
