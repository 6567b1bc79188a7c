// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings

@testable import OfflineMedia

@Suite(.timeLimit(.minutes(15)))
struct MediaErrorTests {
    @Test func descriptionContainsTheCodeAndTheMessage() {
        let error = MediaError(.notMedia, "Check the address.")
        #expect(error.description == "notMedia: Check the address.")
    }

    @Test(arguments: [
        (
            "[mov,mp4,m4a,3gp,3g2,mj2 @ 0x55d00f3a] moov atom not found\n"
                + "file:/tmp/a: b/1.mp4: Invalid data found when processing input",
            "its index is missing",
            "moov atom not found; FILE: Invalid data found when processing input"
        ),
        (
            "[in#0 @ 0x7f] Error opening input file file:/srv/my films/a.ts.\n[x @ 0x1] '/a b'",
            "cannot process the content",
            "Error opening input file FILE; 'FILE"
        ),
        ("", "cannot process the content", "no message"),
    ])
    func theMessageOfAToolIsOnlyTheCause(text: String, meaning: String, kept: String) {
        var result = ChildProcess.Result(status: .exited(1))
        result.errorTail = text
        let error = MediaError(result, of: "ffprobe")
        #expect(error?.message.contains(meaning) == true)
        for word in ["0x", "/", "moov"] { #expect(error?.message.contains(word) == false) }
        let cause = error?.cause as? MediaError
        #expect(cause?.message == "ffprobe exited with code 1: " + kept)
    }
}
