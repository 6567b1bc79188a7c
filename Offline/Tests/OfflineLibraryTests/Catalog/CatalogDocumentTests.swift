// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsHTTP

@testable import OfflineLibrary

@Suite(.timeLimit(.minutes(15)))
struct CatalogDocumentTests {
    private func decode(
        _ text: String,
        limits: CatalogLimits = CatalogLimits()
    ) throws -> Catalog {
        try CatalogDocument.decode(
            [UInt8](text.utf8),
            requestedAddress: WebAddress("https://example.org/catalog"),
            at: WebAddress("https://cdn.example.org/french/all.json?key=secret"),
            limits: limits
        )
    }

    private func error(
        _ text: String,
        limits: CatalogLimits = CatalogLimits()
    ) -> CatalogError? {
        do {
            _ = try decode(text, limits: limits)
            return nil
        } catch {
            return error as? CatalogError
        }
    }

    private func document(_ lessons: String...) -> String {
        #"{"format":1,"groups":[{"lessons":[\#(lessons.joined(separator: ","))]}]}"#
    }

    @Test func addressesOfLessonsAreAbsolute() throws {
        let catalog = try decode(
            """
            {"format": 1, "title": "French", "author": {"ignored": [1, null]}, "groups": [
              {"title": "First steps", "lessons": [
                {"id": "1", "title": "Bonjour", "audio": "1.mp3", "video": "/v/1.m3u8",
                 "text": "https://texts.example.org/1.txt", "colour": "red"},
                {"id": "2", "audio": null, "text": ""}]},
              {"lessons": []}]}
            """
        )
        #expect(catalog.address.text == "https://example.org/catalog")
        #expect(catalog.title == "French")
        #expect(catalog.groups.map(\.title) == ["First steps", ""])
        #expect(catalog.lessonCount == 2)
        let lesson = try #require(catalog.lesson("1"))
        #expect(lesson.title == "Bonjour")
        #expect(lesson[.audio]?.text == "https://cdn.example.org/french/1.mp3")
        #expect(lesson[.video]?.text == "https://cdn.example.org/v/1.m3u8")
        #expect(lesson[.text]?.text == "https://texts.example.org/1.txt")
        #expect(catalog.lesson("2") == Lesson(id: "2", title: "2"))
        #expect(catalog.lesson("3") == nil)
    }

    @Test(arguments: ["", "<!doctype html>", #"{"format":1,"groups":["#, "\u{0}", "{]"])
    func aDocumentThatIsNotJSONIsRejected(text: String) {
        #expect(error(text)?.code == .notJSON)
    }

    @Test func bytesThatAreNotTextAreRejected() throws {
        let address = try WebAddress("http://example.org/")
        #expect(throws: CatalogError.self) {
            try CatalogDocument.decode(
                [0xFF, 0xD8, 0xFF, 0xE0],
                requestedAddress: address,
                at: address
            )
        }
    }

    @Test(arguments: [
        ("[]", "did not return a catalog."),
        ("{}", "format is missing"),
        (#"{"format":1}"#, "groups is missing"),
        (#"{"format":"1","groups":[]}"#, "format has the wrong type"),
        (#"{"format":0,"groups":[]}"#, "format 0"),
        (#"{"format":1e40,"groups":[]}"#, "did not return a catalog"),
        (#"{"format":1,"groups":[{"lessons":[{"title":"x"}]}]}"#, "lessons 1 id is missing"),
        (#"{"format":1,"groups":[{"lessons":[{"id":""}]}]}"#, "Lesson 1 of group 1"),
        (#"{"format":1,"groups":[{"lessons":[{"id":".."}]}]}"#, "Lesson 1 of group 1"),
    ])
    func jsonThatIsNotACatalogIsRejectedWithThePosition(text: String, words: String) {
        let error = error(text)
        #expect(error?.code == .notACatalog)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "no error")")
    }

    @Test func aNewerFormatIsRejectedWhateverElseTheDocumentHolds() {
        let error = error(#"{"format":2,"groups":"elsewhere"}"#)
        #expect(error?.code == .newerFormat)
        #expect(error?.message.contains("format 2") == true)
    }

    @Test func aDuplicateIdentifierIsRejectedByName() {
        let text = #"""
            {"format":1,"groups":[
              {"lessons":[{"id":"a-7"}]},{"lessons":[{"id":"b"},{"id":"a-7 "}]}]}
            """#
        let error = error(text)
        #expect(error?.code == .duplicateLesson)
        #expect(error?.message.contains("“a-7”") == true)
    }

    @Test(arguments: [
        "file:///etc/passwd", "javascript:alert(1)", "data:,x", "http://u:p@h/", "//",
    ])
    func onlyWebAddressesAreAccepted(address: String) {
        let error = error(document(#"{"id":"1","video":"\#(address)"}"#))
        #expect(error?.code == .forbiddenAddress)
        #expect(error?.message.contains("The video of lesson “1”") == true)
    }

    @Test func textsBecomeOneCleanLineOfBoundedLength() throws {
        let long = String(repeating: "x", count: 5_000)
        let catalog = try decode(
            document(
                #"{"id":" a\u0000\n b ","title":"<b>\u202eLesson\t1.5\u0007"}"#,
                #"{"id":"long","title":"\#(long)"}"#
            )
        )
        #expect(catalog.lesson("a b")?.title == "<b>Lesson 1.5")
        #expect(catalog.lesson("long")?.title.count == 120)
        #expect(error(document(#"{"id":"\#(long)"}"#))?.code == .notACatalog)
    }

    @Test func exceedingALimitIsRejectedByName() {
        var limits = CatalogLimits()
        limits.lessons = 2
        limits.groups = 2
        let three = error(document(#"{"id":"1"}"#, #"{"id":"2"}"#, #"{"id":"3"}"#), limits: limits)
        #expect(three?.code == .tooLarge)
        #expect(three?.message.contains("more than 2 lessons") == true)
        let group = #"{"lessons":[]}"#
        let groups = error(
            #"{"format":1,"groups":[\#(group),\#(group),\#(group)]}"#,
            limits: limits
        )
        #expect(groups?.message.contains("more than 2 groups") == true)
        limits.addressBytes = 40
        let address = document(#"{"id":"1","text":"\#(String(repeating: "y", count: 41))"}"#)
        #expect(error(address, limits: limits)?.message.contains("longer than 40 bytes") == true)
        limits = CatalogLimits()
        limits.totalAddressBytes = 60
        let both = document(#"{"id":"1","text":"1.txt","audio":"1.mp3"}"#)
        #expect(error(both, limits: limits)?.code == .tooLarge)
        limits.bytes = 10
        #expect(error(both, limits: limits)?.code == .tooLarge)
    }

    @Test func endlessNestingIsRejected() {
        let text = #"{"format":1,"groups":[],"x":"# + String(repeating: "[", count: 1 << 20)
        #expect(error(text)?.code == .notJSON)
    }

    @Test func aHundredThousandLessonsAreAccepted() throws {
        let lessons = (1...100_000).map {
            #"{"id":"\#($0)","title":"Lesson \#($0)","audio":"\#($0).mp3","text":"\#($0).txt"}"#
        }
        let text = #"{"format":1,"groups":[{"lessons":[\#(lessons.joined(separator: ","))]}]}"#
        let catalog = try decode(text)
        #expect(catalog.lessonCount == 100_000)
        let last = catalog.lesson("100000")?.audio?.text
        #expect(last == "https://cdn.example.org/french/100000.mp3")
    }
}
