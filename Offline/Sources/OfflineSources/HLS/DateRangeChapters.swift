// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel
import Tidings

/// The chapters among the ranges of dates in a media playlist (EXT-X-DATERANGE).
///
/// The format does not define a class for chapters. Packagers use a class whose name contains
/// “chapter”, and write the title into a custom attribute.
struct DateRangeChapters: Hashable {
    private static let titles = [
        "X-TITLE", "X-CHAPTER-TITLE", "X-NAME", "X-CHAPTER-NAME", "X-LABEL",
    ]

    private struct Entry: Hashable {
        var date: String
        var title: String
    }

    /// The dates of segments with the times in seconds at which they play.
    private var dates: [Date] = []
    private var times: [Double] = []
    private var entries: [String: Entry] = [:]
    private var order: [String] = []

    /// Adds the date of the segment that plays at a time.
    mutating func addDate(_ tag: PlaylistTag, at time: Double) {
        // A later date corrects the following times, and a few hundred dates correct them well
        // enough.
        guard dates.count < 10_000, let date = Self.date(tag.value) else { return }
        dates.append(date)
        times.append(time)
    }

    /// Adds a range if the range is a chapter.
    ///
    /// The first range with an identifier counts.
    mutating func addRange(_ tag: PlaylistTag) {
        guard entries.count < Chapter.limit, let attributes = try? tag.attributes(),
            attributes["CLASS"]?.prefix(200).lowercased().contains("chapter") == true,
            let id = attributes["ID"], let date = attributes["START-DATE"], entries[id] == nil
        else { return }
        let title = Self.titles.lazy.compactMap { attributes[$0] }.first ?? ""
        entries[id] = Entry(date: date, title: title)
        order.append(id)
    }

    /// The chapters in the order of their starts.
    var chapters: [Chapter] {
        guard !dates.isEmpty else { return [] }
        return Chapter.list(
            order.lazy.compactMap { id in
                guard let entry = entries[id], let date = Self.date(entry.date[...]),
                    let index = dates.lastIndex(where: { $0 <= date })
                else { return nil }
                let start = times[index] + date.timeIntervalSince(dates[index])
                return (start: start, title: entry.title)
            }
        )
    }

    private static func date(_ text: Substring) -> Date? {
        guard text.utf8.count <= 40 else { return nil }
        let style = Date.ISO8601FormatStyle()
        return (try? Date(String(text), strategy: style.time(includingFractionalSeconds: true)))
            ?? (try? Date(String(text), strategy: style))
    }
}
