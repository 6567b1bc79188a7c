// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel
import OfflineSources
import OfflineStore
import Tidings
import TidingsHTTP

extension DownloadQueue {
    /// The longest time until the queue reads the wall clock again, because the user may set the
    /// clock and the machine may sleep.
    private static let longestHoursWait = 60.0

    /// Applies the settings of the registry, also to the running downloads.
    package func applySettings() {
        guard isStarted, let settings = try? environment.journal.preferences.settings() else {
            return
        }
        hours = settings.hours
        environment.hosts.limit(to: settings.perHost.number)
        environment.clients.limit.set(settings.limit.rate)
        let isOpen = hours.include(environment.localTime.now(), in: environment.localTime.zone())
        schedule.apply(settings, isOpen: isOpen)
        // A stopped download is queued again. When the task ends, the queue fills the place.
        for id in schedule.surplus(environment.samples(of: schedule.runningItems)) {
            tasks[id]?.cancel()
        }
        waitForHours()
        fill()
    }

    /// Applies the settings again when the download hours start or end.
    private func waitForHours() {
        hoursWait?.cancel()
        hoursWait = nil
        let (time, clock) = (environment.localTime, environment.clock)
        let now = time.now()
        guard let change = hours.nextChange(after: now, in: time.zone()) else { return }
        let wait = min(max(change.timeIntervalSince(now), 0.01), Self.longestHoursWait)
        hoursWait = Task {
            guard (try? await clock.sleep(for: .seconds(wait))) != nil else { return }
            applySettings()
        }
    }
}
