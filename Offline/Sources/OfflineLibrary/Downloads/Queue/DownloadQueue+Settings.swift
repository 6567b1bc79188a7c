// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsHTTP

extension DownloadQueue {
    /// The longest time until the wall clock is read again, because a person may set it, and a
    /// machine may sleep.
    private static let longestHoursWait = 60.0

    /// Applies the settings of the registry, also to the running downloads.
    func applySettings() {
        guard isStarted, let settings = try? environment.journal.registry.settings() else { return }
        hours = settings.hours
        environment.hosts.limit(to: settings.perHost.number)
        environment.clients.limit.set(settings.limit.rate)
        let isOpen = hours.include(environment.localTime.now(), in: environment.localTime.zone())
        schedule.apply(settings, isOpen: isOpen)
        // A stopped download is queued again; its task then fills its place.
        for id in schedule.surplus(environment.samples(of: schedule.runningItems)) {
            tasks[id]?.cancel()
        }
        waitForHours()
        fill()
    }

    /// Applies the settings again when the hours begin or end.
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
