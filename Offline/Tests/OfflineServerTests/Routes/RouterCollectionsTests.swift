// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsLock

@testable import OfflineAPI
@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineMedia
@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct RouterCollectionsTests {
    private func make(_ fixture: TestServer, _ body: String) async throws -> MediaCollection {
        let response = try await fixture.send("POST", "/api/collections", body: body)
        #expect(response.status == 201)
        return try JSONCoding.decode(MediaCollection.self, from: response.body)
    }

    private func change(
        _ fixture: TestServer,
        _ method: String,
        _ path: String,
        _ body: String
    ) async throws -> MediaCollection {
        let path = "/api/collections/\(path)"
        let response = try await fixture.send(method, path, body: body)
        #expect(response.status == 200)
        return try JSONCoding.decode(MediaCollection.self, from: response.body)
    }

    private func code(_ response: RawClient.Response) throws -> String {
        try JSONCoding.decode(FailureJSON.self, from: response.body).error.code
    }

    @Test func o33_aCollectionIsMadeChangedListedAndRemoved() async throws {
        try await TestServer.run { fixture in
            for title in ["a", "b", "c"] { _ = try fixture.addReady(title: title, bytes: [1]) }
            let empty = try await fixture.send("GET", "/api/collections")
            #expect(empty.text == #"{"collections":[]}"#)
            let made = try await make(fixture, #"{"name":" Train ","items":[3,1,3]}"#)
            #expect(made.name == "Train")
            #expect(made.items.map(\.rawValue) == [3, 1])
            let added = try await change(fixture, "POST", "\(made.id)/items", #"{"items":[1,2]}"#)
            #expect(added.items.map(\.rawValue) == [3, 1, 2])
            let less = try await change(fixture, "DELETE", "\(made.id)/items", #"{"items":[1,9]}"#)
            #expect(less.items.map(\.rawValue) == [3, 2])
            let body = #"{"name":"Plane","items":[2,3,2]}"#
            let changed = try await change(fixture, "PATCH", "\(made.id)", body)
            #expect(changed.name == "Plane")
            #expect(changed.items.map(\.rawValue) == [2, 3])
            #expect(changed.createdAt == made.createdAt)
            _ = try await make(fixture, #"{"name":"bus"}"#)
            let list = try await fixture.send("GET", "/api/collections")
            let names = try JSONCoding.decode(CollectionList.self, from: list.body).collections
                .map(\.name)
            #expect(names == ["bus", "Plane"])
            let removed = try await fixture.send("DELETE", "/api/collections/\(made.id)")
            #expect(removed.status == 204)
            #expect(removed.body.isEmpty)
            #expect(try await fixture.send("GET", "/api/items").text.contains(#""total":3"#))
        }
    }

    @Test(arguments: [
        ("POST", "", #"{}"#, 400), ("POST", "", #"{"name":""}"#, 400),
        ("POST", "", #"{"name":" "}"#, 400), ("POST", "", #"{"name":"a\u0000"}"#, 400),
        ("POST", "", #"{"name":7}"#, 400), ("POST", "", "[]", 400), ("POST", "", "x", 400),
        ("POST", "", #"{"name":"\#(String(repeating: "x", count: 201))"}"#, 400),
        ("POST", "", #"{"name":"x","items":["1"]}"#, 400),
        ("POST", "", #"{"name":"x","items":[1.5]}"#, 400),
        ("POST", "", #"{"name":"x","items":[1e400]}"#, 400),
        ("POST", "", #"{"name":"x","items":[9]}"#, 404),
        ("POST", "", #"{"name":"x","items":[-1]}"#, 404),
        ("POST", "", #"{"name":" TRAIN"}"#, 409),
        ("PATCH", "/1", "{}", 400), ("PATCH", "/1", #"{"name":"bus"}"#, 409),
        ("PATCH", "/1", #"{"items":[1,9]}"#, 404), ("PATCH", "/9", #"{"name":"x"}"#, 404),
        ("PATCH", "/x", #"{"name":"x"}"#, 404), ("POST", "/1/items", "{}", 400),
        ("POST", "/1/items", #"{"items":[9]}"#, 404), ("POST", "/9/items", #"{"items":[1]}"#, 404),
        ("DELETE", "/9/items", #"{"items":[1]}"#, 404), ("DELETE", "/1/items", "{}", 400),
        ("DELETE", "/9", "", 404), ("DELETE", "", "", 405), ("PUT", "/1", "{}", 405),
        ("POST", "/1/things", "{}", 404), ("POST", "/1/items/1", "{}", 404),
    ])
    func o33_aWrongRequestIsRefusedAndNothingChanges(
        _ method: String,
        _ path: String,
        _ body: String,
        _ status: Int
    ) async throws {
        try await TestServer.run { fixture in
            _ = try fixture.addReady(title: "a", bytes: [1])
            _ = try await make(fixture, #"{"name":"Train","items":[1]}"#)
            _ = try await make(fixture, #"{"name":"Bus"}"#)
            let before = try await fixture.send("GET", "/api/collections").text
            let response = try await fixture.send(method, "/api/collections" + path, body: body)
            #expect(response.status == status)
            let code = try code(response)
            if status == 409 { #expect(code == "collectionExists") }
            if status == 404 { #expect(code == "notFound") }
            #expect(try await fixture.send("GET", "/api/collections").text == before)
        }
    }

    @Test func o33_theListOfItemsFollowsACollection() async throws {
        try await TestServer.run { fixture in
            for title in ["one", "two", "three", "four"] {
                _ = try fixture.addReady(title: title, bytes: [1])
            }
            let id = try await make(fixture, #"{"name":"A","items":[2,4,1]}"#).id
            func titles(_ query: String) async throws -> [String] {
                let path = "/api/items?collection=\(id)\(query)"
                let body = try await fixture.send("GET", path).body
                return try JSONCoding.decode(ItemListJSON.self, from: body).items.map(\.title)
            }
            #expect(try await titles("") == ["four", "two", "one"])
            #expect(try await titles("&order=collection") == ["two", "four", "one"])
            #expect(try await titles("&order=collection&after=2&count=1") == ["four"])
            #expect(try await titles("&order=title&watched=false") == ["four", "one", "two"])
            #expect(try await titles("&q=one") == ["one"])
            #expect(try await titles("&q=three").isEmpty)
            for query in ["order=collection", "collection=x", "collection=0", "collection="] {
                #expect(try await fixture.send("GET", "/api/items?\(query)").status == 400)
            }
            let none = try await fixture.send("GET", "/api/items?collection=99")
            #expect(none.text == #"{"items":[],"total":0}"#)
        }
    }

    @Test func o33_aLongCollectionFitsIntoARequest() async throws {
        try await TestServer.run { fixture in
            let ids = try (0..<3).map {
                try fixture.addReady(title: "\($0)", bytes: [1]).id.rawValue
            }
            let numbers = (0..<100_000).map { "\(ids[$0 % 3])" }.joined(separator: ",     ")
            let made = try await make(fixture, #"{"name":"A","items":[\#(numbers)]}"#)
            #expect(made.items.map(\.rawValue) == ids)
        }
    }

    /// A new event replaces a pending event of the same kind, so each step waits for an arrival.
    @Test func o33_eachChangeIsSentToOpenPages() async throws {
        try await TestServer.run { fixture in
            let item = try fixture.addReady(title: "a", bytes: [1])
            let library = fixture.library
            let id = CollectionID(rawValue: 1)
            let steps: [@Sendable () throws -> Void] = [
                { _ = try library.collections.make(try CollectionName("A"), [item.id]) },
                { _ = try library.collections.change(id, name: try CollectionName("B")) },
                { try library.journal.remove(item.id) },
                { try library.collections.remove(id) },
            ]
            let done = Lock(-1)
            let received = try await fixture.follow { text in
                guard text.contains("event: catalog") else { return false }
                let seen =
                    text.components(separatedBy: "event: collections\ndata: {}\n\n").count - 1
                guard seen < steps.count else { return true }
                let isNext = done.withLock { done in
                    guard seen > done else { return false }
                    done = seen
                    return true
                }
                if isNext { try? steps[seen]() }
                return false
            }
            #expect(received.contains("event: removed"))
            #expect(try library.collections.all().isEmpty)
        }
    }
}
