// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The dates at which clock and calendar show the given components.
///
/// Foundation's own search moves days that do not exist, and versions of Foundation differ in the
/// hours that a time zone repeats. This type checks every day and every time of day itself.
struct CalendarRule {
    private static let dayUnits: [Calendar.Component] = [
        .era, .year, .month, .day, .weekday, .weekdayOrdinal, .quarter, .weekOfMonth,
        .weekOfYear, .yearForWeekOfYear, .dayOfYear,
    ]
    /// The maximum number of steps, enough for a leap day on a given weekday, across a century that
    /// is not a leap year.
    private static let stepLimit = 4_000

    private let components: DateComponents
    private let calendar: Calendar
    private let units: Set<Calendar.Component>
    private let times: DayTimes?

    init(_ components: DateComponents, in calendar: Calendar) {
        var calendar = components.calendar ?? calendar
        if let zone = components.timeZone { calendar.timeZone = zone }
        let components = Self.completed(components, calendar)
        self.components = components
        self.calendar = calendar
        units = Set(Self.dayUnits.filter { components.value(for: $0) != nil })
        times = DayTimes(components, hasDay: !units.isEmpty)
    }

    /// Adds the first day if the components name only units larger than a day.
    private static func completed(
        _ components: DateComponents,
        _ calendar: Calendar
    ) -> DateComponents {
        let smaller: [Calendar.Component] = [
            .day, .weekday, .weekdayOrdinal, .dayOfYear, .hour, .minute, .second,
        ]
        guard smaller.allSatisfy({ components.value(for: $0) == nil }) else { return components }
        var components = components
        if components.weekOfYear != nil || components.weekOfMonth != nil {
            components.weekday = calendar.firstWeekday
        } else if components.month != nil {
            components.day = 1
        } else if components.year != nil {
            (components.month, components.day) = (1, 1)
        }
        return components
    }

    /// Returns the first matching date after a date, or nil for never.
    func next(after date: Date) -> Date? {
        guard let times else { return nil }
        let local = LocalTime(zone: calendar.timeZone)
        // The search starts a day earlier, because a gap at midnight moves times into the next day.
        var day = calendar.startOfDay(for: date.addingTimeInterval(-86_400))
        for _ in 0..<Self.stepLimit {
            switch step(from: day) {
            case .never: return nil
            case .skip(let next): day = next
            case .day(let next):
                if let found = times.first(after: date, on: day, local) { return found }
                day = next
            }
        }
        return nil
    }

    private enum Step {
        case day(next: Date)
        case skip(to: Date)
        case never
    }

    private func step(from day: Date) -> Step {
        let found = calendar.dateComponents(units.union([.year, .month]), from: day)
        if components.era == nil, let year = components.year, let present = found.year {
            if present > year { return .never }
            if present < year, let next = end(of: .year, at: day) { return .skip(to: next) }
        }
        if let month = components.month, found.month != month,
            let next = end(of: .month, at: day)
        {
            return .skip(to: next)
        }
        guard let next = end(of: .day, at: day) else { return .never }
        let matches = units.allSatisfy { found.value(for: $0) == components.value(for: $0) }
        return matches ? .day(next: next) : .skip(to: next)
    }

    private func end(of unit: Calendar.Component, at day: Date) -> Date? {
        guard let end = calendar.dateInterval(of: unit, for: day)?.end, end > day else {
            return nil
        }
        return end
    }
}

/// The matching times of a day, as a wall clock shows them.
private struct DayTimes {
    private let hours: [Int]
    private let minutes: [Int]
    private let seconds: [Int]

    /// Creates the matching times, or returns nil if no time matches or the components are empty.
    init?(_ components: DateComponents, hasDay: Bool) {
        let (hour, minute, second) = (components.hour, components.minute, components.second)
        guard hasDay || hour != nil || minute != nil || second != nil,
            (0..<24).contains(hour ?? 0), (0..<60).contains(minute ?? 0),
            (0..<60).contains(second ?? 0)
        else { return nil }
        let isBelowHour = minute != nil || second != nil
        hours = hour.map { [$0] } ?? (isBelowHour ? Array(0..<24) : [0])
        minutes = minute.map { [$0] } ?? (second != nil ? Array(0..<60) : [0])
        seconds = [second ?? 0]
    }

    func first(after date: Date, on day: Date, _ local: LocalTime) -> Date? {
        let midnight = local.midnight(of: day)
        let earliest = Int(date.timeIntervalSince1970.rounded(.down))
        for hour in hours {
            // No time zone differs more than this from UTC.
            if midnight + hour * 3_600 + 3_600 + LocalTime.reach <= earliest { continue }
            for minute in minutes {
                for second in seconds {
                    let wall = midnight + hour * 3_600 + minute * 60 + second
                    let found = Date(timeIntervalSince1970: Double(local.instant(showing: wall)))
                    if found > date { return found }
                }
            }
        }
        return nil
    }
}

/// The times that wall clocks of one time zone show, in seconds since 1970 in local time.
private struct LocalTime {
    /// More seconds than any time zone differs from UTC.
    static let reach = 16 * 3_600
    let zone: TimeZone

    private func offset(at instant: Int) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant)))
    }

    func midnight(of day: Date) -> Int {
        let instant = Int(day.timeIntervalSince1970.rounded(.down))
        let wall = instant + offset(at: instant)
        return wall - (wall % 86_400 + 86_400) % 86_400
    }

    /// Returns the first instant at which the clock shows this time or a later one.
    func instant(showing wall: Int) -> Int {
        var (early, late) = (wall - Self.reach, wall + Self.reach)
        let (before, after) = (offset(at: early), offset(at: late))
        guard before != after else { return wall - before }
        while late - early > 1 {
            let middle = early + (late - early) / 2
            if offset(at: middle) == before { early = middle } else { late = middle }
        }
        // `late` is the instant at which the offset changes.
        return wall - before < late ? wall - before : max(late, wall - after)
    }
}
