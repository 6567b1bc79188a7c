// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A scheduled request, in the form that the store keeps.
package struct ScheduledNotification: Hashable, Sendable, Codable {
    /// The end of an interval.
    struct Deadline: Hashable, Codable {
        /// The end on the wall clock, used after a system restart.
        var date: Date
        var uptime: Duration
        var epoch: String
    }

    /// The number that distinguishes the request from others with the same identifier.
    let number: Int
    let request: UserNotificationRequest
    /// The date at which the request was added or last fired.
    var anchor: Date
    /// The end of the interval, or nil for other triggers.
    var deadline: Deadline?
    /// The name of the run that is sending the request, or nil if none is.
    var claim: String?

    init(_ request: UserNotificationRequest, number: Int, at moment: NotificationMoment) {
        self.request = request
        self.number = number
        anchor = moment.date
        if case .after(let interval, _) = request.trigger {
            deadline = Deadline(
                date: moment.date.addingTimeInterval(interval / .seconds(1)),
                uptime: moment.uptime + interval,
                epoch: moment.epoch
            )
        }
    }

    /// Returns the date at which the request fires, as seen from a moment.
    func fireDate(at moment: NotificationMoment) -> Date? {
        guard let deadline else {
            return request.trigger.nextFireDate(after: start(at: moment), in: moment.calendar)
        }
        guard let rest = rest(at: moment) else { return deadline.date }
        return moment.date.addingTimeInterval(rest / .seconds(1))
    }

    /// Returns the rest of the interval in elapsed time.
    ///
    /// Returns nil for other triggers and after a system restart.
    func rest(at moment: NotificationMoment) -> Duration? {
        guard let deadline, deadline.epoch == moment.epoch else { return nil }
        return deadline.uptime - moment.uptime
    }

    /// The date from which the calendar is searched.
    ///
    /// If the clock was set back by up to a day, nothing fires twice. After a larger correction the
    /// search starts at the current time.
    private func start(at moment: NotificationMoment) -> Date {
        anchor.timeIntervalSince(moment.date) > 86_400 ? moment.date : anchor
    }

    /// Moves to the next occurrence and skips all missed ones.
    mutating func advance(at moment: NotificationMoment) {
        anchor = moment.date
        guard case .after(let interval, _) = request.trigger else { return }
        let late = moment.date.timeIntervalSince(fireDate(at: moment) ?? moment.date)
        let step = interval / .seconds(1)
        // The phase of the first occurrence is kept, however late this one is.
        let rest = step - max(0, late).truncatingRemainder(dividingBy: step)
        deadline = Deadline(
            date: moment.date.addingTimeInterval(rest),
            uptime: moment.uptime + .seconds(rest),
            epoch: moment.epoch
        )
    }
}
