// SPDX-License-Identifier: Apache-2.0

/// Reads the dates of feeds in ISO 8601 and in the form of RFC 822 that publishers really write.
enum FeedDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    private static let zones = [
        "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
        "cet": 1, "cest": 2, "bst": 1, "jst": 9,
    ]

    /// Returns the seconds since 1970, or nil for a string without a valid date from 1990 to 2199.
    static func seconds(_ text: String) -> Double? {
        guard text.utf8.count <= 100 else { return nil }
        return iso(text) ?? mail(text)
    }

    /// Reads `2026-03-01`, `2026-03-01T10:00:00.5+01:00` and similar dates.
    private static func iso(_ text: String) -> Double? {
        guard
            let match = FeedText.trimmed(text).wholeMatch(
                of: /(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s*(\S*))?/
            )
        else { return nil }
        return seconds(
            (Int(match.1), Int(match.2), Int(match.3)),
            (match.4.flatMap { Int($0) }, match.5.flatMap { Int($0) }, match.6.flatMap { Int($0) }),
            zone: match.7.map { String($0) } ?? ""
        )
    }

    /// Reads `Sun, 01 Mar 2026 10:00:00 GMT` and similar dates.
    private static func mail(_ text: String) -> Double? {
        let text = FeedText.trimmed(text)
        let pattern =
            /(?:[^\d,]*,)?\s*(\d{1,2})[\s\-]+([A-Za-z]{3})[a-z]*\.?[\s\-]+(\d{4}|\d\d)/
        guard let date = text.prefixMatch(of: pattern),
            let month = months.firstIndex(of: date.2.lowercased()), var year = Int(date.3)
        else { return nil }
        if date.3.count == 2 { year += year < 70 ? 2_000 : 1_900 }
        let time = text[date.range.upperBound...]
            .prefixMatch(of: /\s+(\d{1,2}):(\d\d)(?::(\d\d))?\s*(\S*)/)
        return seconds(
            (year, month + 1, Int(date.1)),
            (
                time.flatMap { Int($0.1) }, time.flatMap { Int($0.2) },
                time.flatMap { $0.3.flatMap { Int($0) } }
            ),
            zone: time.map { String($0.4) } ?? ""
        )
    }

    private static func seconds(
        _ date: (year: Int?, month: Int?, day: Int?),
        _ time: (hour: Int?, minute: Int?, second: Int?),
        zone: String
    ) -> Double? {
        guard let year = date.year, (1_990..<2_200).contains(year), let month = date.month,
            (1...12).contains(month), let day = date.day, (1...31).contains(day)
        else { return nil }
        let (hour, minute, second) = (time.hour ?? 0, time.minute ?? 0, time.second ?? 0)
        guard hour <= 24, minute < 60, second <= 60 else { return nil }
        let days = days(year: year, month: month, day: day)
        return Double(days * 86_400 + hour * 3_600 + minute * 60 + second - offset(zone))
    }

    /// Returns the days since 1970 in the Gregorian calendar, counted in years that start in March.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }

    /// Returns the offset from Greenwich in seconds, which is positive to the east.
    ///
    /// An unknown zone has the offset 0.
    private static func offset(_ zone: String) -> Int {
        if let hours = zones[zone.lowercased()] { return hours * 3_600 }
        guard let match = zone.wholeMatch(of: /([+\-])(\d\d):?(\d\d)/), let hours = Int(match.2),
            let minutes = Int(match.3)
        else { return 0 }
        return (match.1 == "-" ? -1 : 1) * (hours * 3_600 + minutes * 60)
    }
}
