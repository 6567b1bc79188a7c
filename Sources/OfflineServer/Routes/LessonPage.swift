// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibrary

/// A part of a catalogue's list of lessons, so that no answer grows with the catalogue.
struct LessonPage {
    struct Group {
        var number: Int
        var title: String
        var lessons: [Lesson]
    }

    /// The lessons that match, those that are not on this page too.
    private(set) var total = 0
    private(set) var groups: [Group] = []

    /// Finds the lessons whose title, or whose group's, holds every word.
    ///
    /// - Parameters:
    ///   - catalogue: All lessons; nil if none are known.
    ///   - text: The words; none match everything.
    ///   - from: How many of those that match are left out at the beginning.
    ///   - count: How many are on the page at most.
    init(of catalogue: Catalogue?, matching text: String, _ from: Int, _ count: Int) {
        let words = text.prefix(200).split(whereSeparator: \.isWhitespace).map(Word.init)
        for (number, group) in (catalogue?.groups ?? []).enumerated() {
            // What the group's own title holds need not be in the lesson's.
            let wanted = words.filter { !$0.occurs(in: group.title) }
            var lessons: [Lesson] = []
            for lesson in group.lessons where wanted.allSatisfy({ $0.occurs(in: lesson.title) }) {
                if total >= from, total - from < count { lessons.append(lesson) }
                total += 1
            }
            if !lessons.isEmpty {
                groups.append(Group(number: number, title: group.title, lessons: lessons))
            }
        }
    }
}

/// A word that is looked for, whatever its case.
private struct Word {
    private let text: String
    /// In lower case, if it is plain ASCII: then bytes decide, which is much faster.
    private let bytes: [UInt8]?

    init(_ text: Substring) {
        self.text = String(text)
        let isPlain = text.utf8.allSatisfy { $0 < 0x80 }
        bytes = isPlain ? text.lowercased().utf8.map { $0 } : nil
    }

    func occurs(in title: String) -> Bool {
        guard let bytes, title.utf8.allSatisfy({ $0 < 0x80 }) else {
            return title.localizedStandardContains(text)
        }
        return title.utf8.withContiguousStorageIfAvailable { Self.find(bytes, in: $0) }
            ?? title.lowercased().contains(text.lowercased())
    }

    private static func find(_ word: [UInt8], in title: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = word.first, title.count >= word.count else { return word.isEmpty }
        for start in 0...(title.count - word.count) where lower(title[start]) == first {
            if word.indices.allSatisfy({ lower(title[start + $0]) == word[$0] }) { return true }
        }
        return false
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}
