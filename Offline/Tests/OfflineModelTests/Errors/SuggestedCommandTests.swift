// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsHTTP

@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct SuggestedCommandTests {
    private func request(
        _ options: RequestOptions.Texts = .init(),
        _ change: (inout DownloadRequest) throws -> Void = { _ in }
    ) throws -> DownloadRequest {
        var request = DownloadRequest(try ItemOrigin(text: "https://a.example/film"))
        try request.setOptions(RequestOptions(options))
        try change(&request)
        return request
    }

    @Test func theDefaultsAreLeftOut() throws {
        let command = SuggestedCommand(try request())
        let address = "https://a.example/x?a=1&b"
        #expect(command.get(address) == "offline get '\(address)'")
        #expect(command.reminder().isEmpty)
    }

    @Test func o20_everyOptionIsRepeated() throws {
        let request = try request(.init(checksum: "md5:" + String(repeating: "0", count: 32))) {
            $0.choice = RequestedChoice(
                try MediaChoice(quality: "audio", audio: "de,en", subtitles: "none")
            )
            $0.live = LiveRecording(seconds: 90.5)
            $0.allowsPrivateAddresses = true
        }
        var command = SuggestedCommand(request)
        command.output = "a folder"
        #expect(
            command.get("https://a.example/x", referrer: "https://a.example/'") == """
                offline get 'https://a.example/x' --referrer 'https://a.example/'\\''' \
                --quality audio --audio deu,eng --subtitles none --live --for 91s \
                --checksum md5:\(String(repeating: "0", count: 32)) --allow-private -o 'a folder'
                """
        )
        #expect(
            command.follow("https://a.example/x", keepingPages: true)
                == "offline follow --pages 'https://a.example/x' --allow-private"
        )
    }

    @Test func o14_secretsAreNamedByTheirOptionsAlone() throws {
        let request = try request(
            .init(
                headers: ["X-Key: geheim"],
                referrer: "https://a.example/geheim",
                proxy: "http://geheim.example:1"
            )
        )
        let command = SuggestedCommand(request)
        #expect(!command.get("https://a.example/x").contains("geheim"))
        #expect(command.reminder() == ", with the same --header, --referrer and --proxy")
        #expect(command.reminder(namingReferrer: true) == ", with the same --header and --proxy")
    }
}
