// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineSources
@testable import TidingsHTTP

extension ForeignFormat {
    /// An error thrown when a reader returns nothing, which does not count as a failure.
    private struct NotThisFormat: Error {}

    static let feed = ForeignFormat(
        name: "feed",
        examples: feeds
    ) { bytes in
        let address = try WebAddress("https://pod.example/feeds/all.xml")
        let feed = try FeedParser.parse(bytes, at: address)
        #expect(Set(feed.entries.map(\.identity)).count == feed.entries.count)
        for entry in feed.entries {
            let addresses = [entry.media, entry.page, entry.picture].compactMap { $0?.text }
            #expect(addresses.allSatisfy { $0.hasPrefix("http") })
            #expect(entry.published.isFinite && !entry.title.contains { $0.isNewline })
        }
    }

    static let catalog = ForeignFormat(
        name: "catalog",
        examples: [CatalogFixture.lessons]
    ) { bytes in
        let address = try WebAddress("https://school.example/french/all.json")
        let catalog = try CatalogDocument.decode(bytes, requestedAddress: address, at: address)
        let lessons = catalog.groups.flatMap(\.lessons)
        #expect(Set(lessons.map(\.id)).count == lessons.count)
        for lesson in lessons {
            let addresses = [lesson.audio, lesson.video, lesson.text].compactMap { $0?.text }
            #expect(addresses.allSatisfy { $0.hasPrefix("http") })
        }
    }

    static let library = ForeignFormat(
        name: "library",
        examples: exports
    ) { bytes in
        var reader = LibraryImport(LibraryDirectory(path: "/nonexistent"), allowsPrivate: false)
        let library = try reader.read(DocumentLines(bytes))
        for item in library.items {
            #expect(item.fileName.map { !$0.contains("/") && !$0.hasPrefix(".") } ?? true)
            #expect(!item.allowsPrivate && [.missing, .failed, .paused].contains(item.state))
        }
        let entries = library.feeds.flatMap(\.entries)
        for place in entries.compactMap(\.line.item) {
            #expect(library.items.indices.contains(place - 1))
        }
    }

    static let chapters = ForeignFormat(
        name: "chapters",
        examples: [chapterList]
    ) { bytes in
        guard let found = SessionChapters(bytes)?.chapters else { throw NotThisFormat() }
        #expect(found.count <= Chapter.limit)
        #expect(found.map(\.start) == found.map(\.start).sorted())
        for chapter in found {
            #expect(chapter.start.isFinite && chapter.start >= 0)
            #expect(!chapter.title.isEmpty && !chapter.title.contains { $0.isNewline })
        }
    }

    static let responseHead = ForeignFormat(
        name: "response head",
        examples: heads
    ) { bytes in
        let request = HTTPRequest(try WebAddress("https://a.example/film.mp4?secret"))
        var parser = ResponseHeadParser(address: request.address, maximumBytes: 64 << 10)
        var found: HTTPResponseHead?
        for line in bytes.split(separator: 10, omittingEmptySubsequences: false) {
            let head = try (line + [10]).withUnsafeBytes { try parser.parse($0) }
            found = head ?? found
        }
        guard let found else { throw NotThisFormat() }
        #expect((200..<600).contains(found.status) && (found.contentLength ?? 0) >= 0)
        #expect((found.retryAfter ?? .zero) >= .zero)
        if let range = found.contentRange {
            #expect(0 <= range.first && range.first <= range.last)
            #expect(range.total.map { range.last < $0 } ?? true)
        }
        // The client sends each validator back to a server.
        if let validator = found.strongValidator {
            #expect(HTTPHeader("If-Range", validator).isSendable)
        }
        guard Redirect.isRedirect(found) else { return }
        #expect(try Redirect.next(request, after: found).address.text.hasPrefix("http"))
    }
}
