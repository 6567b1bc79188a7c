// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct MediaChoiceTests {
    private static let unkept: [(String?, String?, String?, String)] = [
        ("90p", nil, nil, "in its only quality"),
        ("audio", nil, nil, "with its pictures if it has any"),
        (nil, "de", nil, "with all of its sound"),
        (nil, nil, "de", "with the subtitles that it has"),
        ("90p", "de", nil, "in its only quality and with all of its sound"),
    ]

    @Test(arguments: unkept)
    func o20_aFileNamesTheChoiceThatItCannotKeep(
        _ quality: String?,
        _ audio: String?,
        _ subtitles: String?,
        _ words: String
    ) throws {
        let choice = try MediaChoice(quality: quality, audio: audio, subtitles: subtitles)
        #expect(
            choice.notes(onFileOf: "video/mp4") == [
                "The address is a file, which was kept as it came, \(words)."
            ]
        )
    }

    @Test func o20_aFileThatKeepsTheChoiceHasNoNote() throws {
        #expect(MediaChoice(subtitles: .none).notes(onFileOf: "video/mp4").isEmpty)
        #expect(MediaChoice(quality: .audio).notes(onFileOf: "audio/mp4").isEmpty)
        // A setting may require a height of all items, but sound has no height.
        #expect(MediaChoice(quality: .height(90)).notes(onFileOf: "audio/mpeg").isEmpty)
        let chosen = MediaChoice(quality: .height(90)).withoutHeight
        #expect(chosen.notes(onFileOf: "video/mp4").isEmpty)
        #expect(MediaChoice(quality: .audio).withoutHeight.quality == .audio)
    }

    @Test func o20_aFileHasNoNoteAboutASetting() throws {
        let settings = try MediaChoice(quality: "90p", audio: "de", subtitles: nil)
        let asked = try MediaChoice(quality: "90p", audio: "fr", subtitles: nil)
        #expect(
            asked.beyond(settings).notes(onFileOf: "video/mp4") == [
                "The address is a file, which was kept as it came, with all of its sound."
            ]
        )
        #expect(settings.beyond(settings).notes(onFileOf: "video/mp4").isEmpty)
    }

    @Test func o20_aStreamOfOneQualityNamesTheChoiceThatItCannotKeep() throws {
        let choice = try MediaChoice(quality: "90p", audio: "de", subtitles: nil)
        #expect(
            choice.notesOnOneQuality == [
                "The stream has one quality, which was kept.",
                "The stream has no sound in German. It names no languages.",
            ]
        )
        #expect(MediaChoice().notesOnOneQuality.isEmpty)
    }
}
