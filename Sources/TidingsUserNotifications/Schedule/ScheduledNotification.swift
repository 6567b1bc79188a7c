// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A request whose time has not come, as it is on disk.
package struct ScheduledNotification: Hashable, Sendable, Codable {
    /// When an interval ends.
    struct Deadline: Hashable, Codable {
        /// By the clock on the wall, for when the other is not known any more.
        var date: Date
        var uptime: Duration
        var epoch: String
    }

    /// Tells it from others of its identifier.
    let number: Int
    let request: UserNotificationRequest
    /// When it was added or has last fired.
    var anchor: Date
    /// For an interval.
    var deadline: Deadline?
    /// Who is sending it now.
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

    /// When it fires, seen from a moment.
    func fireDate(at moment: NotificationMoment) -> Date? {
        guard let deadline else {
            return request.trigger.nextFireDate(after: start(at: moment), in: moment.calendar)
        }
        guard deadline.epoch == moment.epoch else { return deadline.date }
        let rest = deadline.uptime - moment.uptime
        return moment.date.addingTimeInterval(rest / .seconds(1))
    }

    /// From when on the calendar is searched.
    ///
    /// A clock that was set back by up to a day fires nothing twice; one that was wrong by more
    /// begins anew.
    private func start(at moment: NotificationMoment) -> Date {
        anchor.timeIntervalSince(moment.date) > 86_400 ? moment.date : anchor
    }

    /// Goes on to the next time, after the one that has come and all that were missed.
    mutating func advance(at moment: NotificationMoment) {
        anchor = moment.date
        guard case .after(let interval, _) = request.trigger else { return }
        let late = moment.date.timeIntervalSince(fireDate(at: moment) ?? moment.date)
        let step = interval / .seconds(1)
        // In step with the first one, however late this is.
        let rest = step - max(0, late).truncatingRemainder(dividingBy: step)
        deadline = Deadline(
            date: moment.date.addingTimeInterval(rest),
            uptime: moment.uptime + .seconds(rest),
            epoch: moment.epoch
        )
    }
}
