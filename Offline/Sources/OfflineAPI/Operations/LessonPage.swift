// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibrary

/// One page of a catalog's lessons, so that the size of a response has a limit.
struct LessonPage {
    struct Group {
        var number: Int
        var title: String
        var lessons: [Lesson]
    }

    /// The number of matching lessons, including those on other pages.
    private(set) var total = 0
    private(set) var groups: [Group] = []

    /// Finds the lessons with every word in the title of the lesson or of the group.
    ///
    /// - Parameters:
    ///   - catalog: The catalog, or nil if no catalog is loaded.
    ///   - text: The words to search for. Without words, every lesson matches.
    ///   - from: The number of matching lessons to skip.
    ///   - count: The maximum number of lessons on the page.
    init(of catalog: Catalog?, matching text: String, _ from: Int, _ count: Int) {
        let words = text.prefix(200).split(whereSeparator: \.isWhitespace).map(Word.init)
        for (number, group) in (catalog?.groups ?? []).enumerated() {
            // A lesson's title need not repeat the words of the group's title.
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

/// A word to search for, without regard to case.
private struct Word {
    private let text: String
    /// The word in lower case if the word is ASCII, because a comparison of bytes is much faster.
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
