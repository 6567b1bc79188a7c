// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsHTTP

@testable import OfflineAPI
@testable import OfflineLibrary
@testable import OfflineMedia
@testable import OfflineModel
@testable import OfflineServer

@Suite(.timeLimit(.minutes(15)))
struct RouterCatalogTests {
    private static let address = "https://school.example/all.json"

    private func code(_ response: RawClient.Response) -> String? {
        try? JSONCoding.decode(FailureJSON.self, from: response.body).error.code
    }

    private func get(_ fixture: TestServer, _ query: String = "") async throws -> CatalogJSON {
        let response = try await fixture.send("GET", "/api/catalog\(query)")
        return try JSONCoding.decode(CatalogJSON.self, from: response.body)
    }

    /// Sets the catalog of the library as if it had been loaded.
    private func choose(_ fixture: TestServer, _ groups: [LessonGroup]? = nil) throws -> Catalog {
        let address = try WebAddress(Self.address)
        try fixture.library.catalog.setAddress(CatalogAddress(address))
        let first = Lesson(
            id: "a/1 ä",
            title: "Bonjour",
            audio: try address.resolving("1.mp3"),
            text: try address.resolving("1.txt")
        )
        let second = Lesson(id: "2", title: "Ça va", video: try address.resolving("2.mp4"))
        let catalog = Catalog(
            address: address,
            title: "French",
            groups: groups ?? [
                LessonGroup(title: "First steps", lessons: [first]),
                LessonGroup(title: "On the way", lessons: [second]),
            ]
        )
        fixture.library.catalog.publisher.updateData(catalog)
        return catalog
    }

    @Test func withoutACatalogTheStateIsEmpty() async throws {
        try await TestServer.run { fixture in
            let response = try await fixture.send("GET", "/api/catalog")
            #expect(
                response.text == #"{"catalog":{"isStale":false,"state":"empty"},"#
                    + #""from":0,"groups":[],"total":0}"#
            )
            let refused = try await fixture.send("POST", "/api/catalog/refresh", body: "{}")
            #expect(code(refused) == "noAddress")
        }
    }

    @Test func anAddressIsSetAndRemoved() async throws {
        try await TestServer.run { fixture in
            let body = #"{"address":"HTTPS://School.example/all.json","allowPrivate":true}"#
            let chosen = try await fixture.send("PUT", "/api/catalog", body: body)
            #expect(chosen.status == 200)
            #expect(fixture.library.catalog.address?.address.text == Self.address)
            #expect(fixture.library.catalog.address?.allowsPrivateAddresses == true)
            // The library is not started, so the load must fail.
            _ = await fixture.library.catalog.publisher.states.values.first { $0.error != nil }
            let failed = try await get(fixture).catalog
            #expect(failed.state == "failed")
            #expect(failed.error?.code == "unavailable")
            #expect(try await fixture.send("DELETE", "/api/catalog").status == 200)
            #expect(try await get(fixture).catalog.state == "empty")
            #expect(fixture.library.catalog.address == nil)
        }
    }

    @Test(arguments: [
        #"{"address":"file:///etc/passwd"}"#, #"{"address":""}"#, "{}", "[", #"{"address":7}"#,
    ])
    func anInvalidAddressIsRefused(body: String) async throws {
        try await TestServer.run { fixture in
            let response = try await fixture.send("PUT", "/api/catalog", body: body)
            #expect(response.status == 400)
            #expect(fixture.library.catalog.address == nil)
        }
    }

    @Test func lessonsAreListedWithTheStateOfTheirParts() async throws {
        try await TestServer.run { fixture in
            let lesson = try #require(try choose(fixture).groups.first?.lessons.first)
            let audio = try #require(lesson.audio)
            _ = try await fixture.library.enqueue(DownloadRequest(.address(audio)))
            let response = try await get(fixture)
            #expect(response.catalog.title == "French")
            #expect(response.catalog.lessonCount == 2)
            #expect(response.groups.map(\.title) == ["First steps", "On the way"])
            let shown = try #require(response.groups.first?.lessons.first)
            #expect(shown.parts.map(\.state) == [.queued, .notDownloaded])
            #expect(shown.downloads == ["audio": .queued, "text": .notDownloaded])
        }
    }

    @Test func aLessonIsDownloadedByItsIdentifier() async throws {
        try await TestServer.run { fixture in
            _ = try choose(fixture)
            let path = "/api/catalog/lessons/a%2F1%20%C3%A4/downloads"
            let first = try await fixture.send("POST", path, body: #"{"parts":"audio"}"#)
            #expect(first.status == 201, "\(first.text)")
            #expect(
                fixture.library.newestItems.items.map(\.title) == ["Bonjour (text)", "Bonjour"]
            )
            let again = try await fixture.send("POST", path, body: #"{"parts":"audio"}"#)
            #expect(again.status == 200)
            #expect(fixture.library.newestItems.items.count == 2)
        }
    }

    @Test(arguments: [
        ("2", #"{"parts":"audio"}"#, 409, "noSuchPart"),
        ("9", #"{"parts":"audio"}"#, 404, "noSuchLesson"),
        ("2", #"{"parts":"smell"}"#, 400, "badRequest"), ("2", "{}", 400, "badRequest"),
    ])
    func anInvalidLessonDownloadIsRefused(
        id: String,
        body: String,
        status: Int,
        name: String
    ) async throws {
        try await TestServer.run { fixture in
            _ = try choose(fixture)
            let path = "/api/catalog/lessons/\(id)/downloads"
            let response = try await fixture.send("POST", path, body: body)
            #expect(response.status == status)
            #expect(code(response) == name)
            #expect(fixture.library.newestItems.items.isEmpty)
        }
    }

    @Test func aLargeCatalogIsReadPageByPage() async throws {
        try await TestServer.run { fixture in
            let groups = (0..<30).map { group in
                LessonGroup(
                    title: "Part \(group)",
                    lessons: (0..<40).map { Lesson(id: "\(group)-\($0)", title: "Lesson \($0)") }
                )
            }
            _ = try choose(fixture, groups)
            let usual = try await get(fixture)
            #expect(usual.total == 1_200)
            #expect(usual.groups.flatMap(\.lessons).count == 100)
            let later = try await get(fixture, "?from=1190&count=500")
            #expect(later.groups.map(\.number) == [29])
            #expect(later.groups.flatMap(\.lessons).count == 10)
            let found = try await get(fixture, "?q=LESSON+39%20part+29")
            #expect(found.groups.flatMap(\.lessons).map(\.id) == ["29-39"])
            for query in ["count=501", "count=-1", "from=x", "from=-1"] {
                #expect(try await fixture.send("GET", "/api/catalog?\(query)").status == 400)
            }
        }
    }

    @Test func theSearchIgnoresCaseAndAccents() throws {
        let address = try WebAddress(Self.address)
        let lessons = ["Ça va", "CAFÉ", "plain"].map { Lesson(id: $0, title: $0) }
        let catalog = Catalog(
            address: address,
            groups: [LessonGroup(title: "", lessons: lessons)]
        )
        for (text, count) in [("ça", 2), ("Café", 1), ("PLAIN", 1), ("", 3), ("  ", 3), ("zz", 0)] {
            #expect(LessonPage(of: catalog, matching: text, 0, 9).total == count, "\(text)")
        }
    }

    @Test func aPageReceivesTheStateOfTheCatalog() async throws {
        try await TestServer.run { fixture in
            let received = try await fixture.follow { text in
                if text.contains(#"{"isStale":false,"state":"empty"}"#), !text.contains("French") {
                    _ = try? choose(fixture)
                }
                return text.contains(#""title":"French""#)
            }
            #expect(received.contains("event: catalog\ndata: "))
            #expect(!received.contains("Bonjour"))
        }
    }
}
