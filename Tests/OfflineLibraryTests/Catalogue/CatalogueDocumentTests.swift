// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsHTTP

@testable import OfflineLibrary

@Suite(.timeLimit(.minutes(5)))
struct CatalogueDocumentTests {
    private func decode(
        _ text: String,
        limits: CatalogueLimits = CatalogueLimits()
    ) throws -> Catalogue {
        try CatalogueDocument.decode(
            [UInt8](text.utf8),
            asked: WebAddress("https://example.org/catalogue"),
            at: WebAddress("https://cdn.example.org/french/all.json?key=secret"),
            limits: limits
        )
    }

    private func error(
        _ text: String,
        limits: CatalogueLimits = CatalogueLimits()
    ) -> CatalogueError? {
        do {
            _ = try decode(text, limits: limits)
            return nil
        } catch {
            return error as? CatalogueError
        }
    }

    private func document(_ lessons: String...) -> String {
        #"{"format":1,"groups":[{"lessons":[\#(lessons.joined(separator: ","))]}]}"#
    }

    @Test func groupsOfLessonsHaveCompleteAddresses() throws {
        let catalogue = try decode(
            """
            {"format": 1, "title": "French", "author": {"ignored": [1, null]}, "groups": [
              {"title": "First steps", "lessons": [
                {"id": "1", "title": "Bonjour", "audio": "1.mp3", "video": "/v/1.m3u8",
                 "text": "https://texts.example.org/1.txt", "colour": "red"},
                {"id": "2", "audio": null, "text": ""}]},
              {"lessons": []}]}
            """
        )
        #expect(catalogue.address.text == "https://example.org/catalogue")
        #expect(catalogue.title == "French")
        #expect(catalogue.groups.map(\.title) == ["First steps", ""])
        #expect(catalogue.lessonCount == 2)
        let lesson = try #require(catalogue.lesson("1"))
        #expect(lesson.title == "Bonjour")
        #expect(lesson[.audio]?.text == "https://cdn.example.org/french/1.mp3")
        #expect(lesson[.video]?.text == "https://cdn.example.org/v/1.m3u8")
        #expect(lesson[.text]?.text == "https://texts.example.org/1.txt")
        #expect(catalogue.lesson("2") == Lesson(id: "2", title: "2"))
        #expect(catalogue.lesson("3") == nil)
    }

    @Test(arguments: ["", "<!doctype html>", #"{"format":1,"groups":["#, "\u{0}", "{]"])
    func whatIsNotJSONIsRefused(text: String) {
        #expect(error(text)?.code == .notJSON)
    }

    @Test func bytesThatAreNoTextAreRefused() throws {
        let address = try WebAddress("http://example.org/")
        #expect(throws: CatalogueError.self) {
            try CatalogueDocument.decode([0xFF, 0xD8, 0xFF, 0xE0], asked: address, at: address)
        }
    }

    @Test(arguments: [
        ("[]", "not a catalogue"),
        ("{}", "format is missing"),
        (#"{"format":1}"#, "groups is missing"),
        (#"{"format":"1","groups":[]}"#, "format is of another type"),
        (#"{"format":0,"groups":[]}"#, "format 0"),
        (#"{"format":1e40,"groups":[]}"#, "not a catalogue"),
        (#"{"format":1,"groups":[{"lessons":[{"title":"x"}]}]}"#, "lessons 1 id is missing"),
        (#"{"format":1,"groups":[{"lessons":[{"id":""}]}]}"#, "Lesson 1 of group 1"),
        (#"{"format":1,"groups":[{"lessons":[{"id":".."}]}]}"#, "Lesson 1 of group 1"),
    ])
    func jsonThatIsNoCatalogueIsRefusedWithThePlace(text: String, words: String) {
        let error = error(text)
        #expect(error?.code == .notACatalogue)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "no error")")
    }

    @Test func aNewerFormatIsRefusedByNameWhateverElseItHas() {
        let error = error(#"{"format":2,"groups":"elsewhere"}"#)
        #expect(error?.code == .newerFormat)
        #expect(error?.message.contains("format 2") == true)
    }

    @Test func theSameIdentifierTwiceIsRefusedWithTheIdentifier() {
        let text = #"""
            {"format":1,"groups":[{"lessons":[{"id":"a-7"}]},{"lessons":[{"id":"b"},{"id":"a-7 "}]}]}
            """#
        let error = error(text)
        #expect(error?.code == .duplicateLesson)
        #expect(error?.message.contains("“a-7”") == true)
    }

    @Test(arguments: [
        "file:///etc/passwd", "javascript:alert(1)", "data:,x", "http://u:p@h/", "//",
    ])
    func onlyAddressesOfTheWebAreWelcome(address: String) {
        let error = error(document(#"{"id":"1","video":"\#(address)"}"#))
        #expect(error?.code == .forbiddenAddress)
        #expect(error?.message.contains("The video of lesson “1”") == true)
    }

    @Test func textsAreOneCleanLineOfBoundedLength() throws {
        let long = String(repeating: "x", count: 5_000)
        let catalogue = try decode(
            document(
                #"{"id":" a\u0000\n b ","title":"<b>\u202eLesson\t1.5\u0007"}"#,
                #"{"id":"long","title":"\#(long)"}"#
            )
        )
        #expect(catalogue.lesson("a b")?.title == "<b>Lesson 1.5")
        #expect(catalogue.lesson("long")?.title.count == 120)
        #expect(error(document(#"{"id":"\#(long)"}"#))?.code == .notACatalogue)
    }

    @Test func whatIsBeyondALimitIsRefusedByName() {
        var limits = CatalogueLimits()
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
        limits = CatalogueLimits()
        limits.allAddressBytes = 60
        let both = document(#"{"id":"1","text":"1.txt","audio":"1.mp3"}"#)
        #expect(error(both, limits: limits)?.code == .tooLarge)
        limits.bytes = 10
        #expect(error(both, limits: limits)?.code == .tooLarge)
    }

    @Test func whatIsNestedWithoutEndIsRefused() {
        let text = #"{"format":1,"groups":[],"x":"# + String(repeating: "[", count: 1 << 20)
        #expect(error(text)?.code == .notJSON)
    }

    @Test func aHundredThousandLessonsAreWelcome() throws {
        let lessons = (1...100_000).map {
            #"{"id":"\#($0)","title":"Lesson \#($0)","audio":"\#($0).mp3","text":"\#($0).txt"}"#
        }
        let text = #"{"format":1,"groups":[{"lessons":[\#(lessons.joined(separator: ","))]}]}"#
        let catalogue = try decode(text)
        #expect(catalogue.lessonCount == 100_000)
        let last = catalogue.lesson("100000")?.audio?.text
        #expect(last == "https://cdn.example.org/french/100000.mp3")
    }
}
