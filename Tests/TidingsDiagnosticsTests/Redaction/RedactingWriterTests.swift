// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct RedactingWriterTests {
    private let writer = RedactingWriter(redactor: Redactor(homes: []))

    @Test func textsAreCutWithoutHalfACharacter() {
        let text = writer.text(String(repeating: "é ", count: 5_000))
        #expect(text.utf8.count <= RedactingWriter.textLimit)
        #expect(text.hasSuffix("é") || text.hasSuffix(" "))
        #expect(writer.name(String(repeating: "é", count: 50)).utf8.count == 64)
        #expect("a👩‍👩‍👧‍👦".cut(to: 6).unicodeScalars.count == 2)
    }

    @Test func aCutNeverKeepsTheBeginningOfASecret() {
        let query = "https://h/a?" + String(repeating: "secret", count: 10_000)
        #expect(!writer.text("x " + query).contains("secret"))
        let padding = String(repeating: "x y ", count: 255)
        #expect(!writer.text(padding + "https://h/a?secret").contains("secret"))
    }

    @Test func aReleaseMayHaveTheHashOfACommitAndNoSecret() {
        let commit = "3f131d7a9c0de8d1f0b2a4c6e8f0a1b2c3d4e5f6"
        #expect(writer.label("films@1.0.2+\(commit)") == "films@1.0.2+\(commit)")
        #expect(!writer.text("key \(commit)").contains(commit))
        #expect(writer.label("films token=hunter2") == "films token=[redacted]")
        #expect(writer.label("AbC1dEf2GhI3jKl4MnO5pQr6StU7vWx8Y9z0AbC1") == "[redacted]")
        #expect(
            writer.label(String(repeating: "a b ", count: 999)).utf8.count
                <= RedactingWriter.textLimit
        )
    }

    private func attached(_ data: Data, keepsBinaries: Bool = true) -> String? {
        let files = writer.attachments(["a.log": data], keepsBinaries: keepsBinaries)
        return files["a.log"].map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [[0xFF], [0], [0xC3], [0, 0xFF, 0xFE, 7]] as [[UInt8]])
    func r20_anAttachedLogWithBytesThatAreNoTextIsRedacted(_ bytes: [UInt8]) throws {
        let secret = Data("token=hunter2\n".utf8)
        for log in [bytes + secret, secret + bytes, secret + bytes + secret] {
            let kept = try #require(attached(Data(log)))
            #expect(kept.contains("token=[redacted]") && !kept.contains("hunter2"))
        }
        let long = Data(String(repeating: "token=hunter2\r\n", count: 4_000).utf8) + bytes
        let kept = try #require(attached(long))
        #expect(kept.contains("token=[redacted]") && !kept.contains("hunter2"))
        #expect(kept.utf8.count <= RedactingWriter.attachmentLimit)
    }

    @Test func r20_anAttachedLogInUTF16IsRedacted() throws {
        let log = try #require("opened\ntoken=hunter2\n".data(using: .utf16LittleEndian))
        #expect(attached(log) == "opened\ntoken=[redacted]\n")
    }

    @Test(
        arguments: [
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], [0xFF, 0xD8, 0xFF],
            [0x1F, 0x8B, 0x08], [0x50, 0x4B, 0x03, 0x04],
        ] as [[UInt8]]
    )
    func onlyAPictureOrArchiveOfARecordedErrorIsKeptAsItIs(_ signature: [UInt8]) throws {
        let data = Data(signature) + Data("token=hunter2".utf8)
        let kept = writer.attachments(["a.png": data], keepsBinaries: true)
        #expect(kept == ["a.png": data])
        #expect(writer.attachments(kept, keepsBinaries: true) == kept)
        #expect(attached(data, keepsBinaries: false)?.contains("hunter2") == false)
        #expect(attached(Data([7]) + data)?.contains("hunter2") == false)
    }

    @Test func r20_theEndOfATextIsRedactedBeforeItIsCut() {
        let secrets = String(repeating: "hunter2 ", count: 2_000)
        #expect(!writer.tail(of: "Cookie: " + secrets, limit: 800).contains("hunter"))
        let query = "x https://h/a?" + String(repeating: "hunter2", count: 200) + " y"
        #expect(writer.tail(of: query, limit: 100) == "x https://h/a?[redacted] y")
        #expect(writer.tail(of: "one\ntwo\n", limit: 6) == "two\n")
        #expect(writer.tail(of: "ééé", limit: 3) == "é")
        #expect(writer.tail(of: "one", limit: 6) == "one")
    }

    @Test func redactionIsIdempotent() {
        var report = Report.sample(1, isCrash: true, message: "ada@h.org /home/a/b token=1")
        report.context = ["token": "1", "url": "https://h/?q"]
        report.crash?.text = "Cookie: a\nBearer abc"
        let once = writer.report(report)
        let twice = writer.report(once)
        #expect(once.errors == twice.errors && once.context == twice.context)
        #expect(once != report && once == twice)
    }

    @Test func identifiersOfUsersAreKeptAndOtherTextIsRedacted() {
        let identifier = "1F6C1A52-93A1-4F0E-9A11-5C0D6A8E7B3D"
        #expect(writer.user(identifier) == identifier)
        #expect(writer.user("42") == "42" && writer.user("alice") == "alice")
        let digest = String(repeating: "0a1b", count: 16)
        #expect(writer.user(digest) == digest)
        #expect(!writer.user("Bearer \(digest)").contains(digest))
        #expect(writer.user(String(repeating: "a", count: 4_096)).utf8.count <= 1_024)
    }

    @Test func aValueUnderTheNameOfASecretIsNotKept() {
        #expect(writer.value("abc", for: "Session-Token") == .text(Redactor.mark))
        #expect(writer.value(42, for: "pin") == .text(Redactor.mark))
        #expect(writer.value(42, for: "retry_count") == 42)
        #expect(writer.value("https://h/?q", for: "url") == "https://h/?[redacted]")
    }
}
