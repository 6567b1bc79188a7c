// SPDX-License-Identifier: Apache-2.0
import OfflineTestFixtures
import Testing
import Tidings

@testable import OfflineModel
@testable import OfflineSources

/// One track for each way to name segments.
@Suite(.timeLimit(.minutes(15)))
struct ManifestTableTests {
    static let tracks: [(String, String)] = [
        // MP4Box, live profile.
        (
            "<SegmentTemplate media='s_$Number$.m4s' initialization='i.mp4' timescale='1000' "
                + "startNumber='0' duration='4000'/>", "i:i.mp4 s_0.m4s s_1.m4s s_2.m4s"
        ),
        ("<SegmentTemplate media='$Number%03d$' duration='5'/>", "001 002"),
        ("<SegmentTemplate media='$Number$' duration='9000' timescale='1000'/>", "1 2"),
        // The stated duration is rounded.
        ("<SegmentTemplate media='$Number$' duration='99999' timescale='10000'/>", "1"),
        ("<SegmentTemplate media='$Time$' duration='50' timescale='10'/>", "0 50"),
        ("<SegmentTemplate media='$$$Number$$$' duration='10'/>", "$1$"),
        (
            "<SegmentTemplate media='$RepresentationID$/$Bandwidth%05d$/$Number$' duration='10'/>",
            "r1/00007/1"
        ),
        ("<SegmentTemplate media='$Number$' duration='1' startNumber='4' endNumber='5'/>", "4 5"),
        ("<SegmentTemplate media='one.mp4'/>", "one.mp4"),
        ("<SegmentTemplate media='one.mp4' initialization='i.mp4'/>", "i:i.mp4 one.mp4"),
        (
            "<SegmentTemplate media='$Time$'><SegmentTimeline><S t='5' d='5'/></SegmentTimeline>"
                + "</SegmentTemplate>", "5"
        ),
        // One segment repeats until the next time, and one repeats until the end.
        (
            "<SegmentTemplate media='$Time$'><SegmentTimeline><S t='0' d='2' r='-1'/>"
                + "<S t='4' d='3' r='-1'/></SegmentTimeline></SegmentTemplate>", "0 2 4 7"
        ),
        // The table has a gap.
        (
            "<SegmentTemplate media='$Time$-$Number$'><SegmentTimeline><S t='0' d='2'/>"
                + "<S t='6' d='4'/></SegmentTimeline></SegmentTemplate>", "0-1 g 6-2"
        ),
        // The times are rounded and leave no gap.
        (
            "<SegmentTemplate media='$Time$' timescale='100'><SegmentTimeline><S t='0' d='499'/>"
                + "<S t='500' d='500'/></SegmentTimeline></SegmentTemplate>", "0 500"
        ),
        (
            "<SegmentList duration='5'><Initialization sourceURL='i.mp4'/><SegmentURL media='a'/>"
                + "<SegmentURL media='b'/></SegmentList>", "i:i.mp4 a b"
        ),
        (
            "<SegmentList><SegmentTimeline><S t='0' d='6'/><S d='4'/></SegmentTimeline>"
                + "<SegmentURL media='a'/><SegmentURL media='b'/></SegmentList>", "a b"
        ),
        ("<SegmentList><SegmentURL media='a' mediaRange='5-9'/></SegmentList>", "a[5+5]"),
        ("<BaseURL>v.mp4</BaseURL>", "v.mp4"),
        ("<BaseURL>\n v.mp4 </BaseURL><BaseURL>other.mp4</BaseURL>", "v.mp4"),
        ("<BaseURL>v.mp4</BaseURL><SegmentBase/>", "v.mp4"),
        (
            "<BaseURL>v.mp4</BaseURL><SegmentBase><Initialization sourceURL='i.mp4'/></SegmentBase>",
            "i:i.mp4 v.mp4"
        ),
    ]

    @Test(arguments: tracks)
    func segmentsAreListed(element: String, parts: String) throws {
        let representation = "<Representation id='r1' bandwidth='7'>\(element)</Representation>"
        let text = ManifestFixtures.manifest(
            "<AdaptationSet contentType='video'>\(representation)</AdaptationSet>"
        )
        let plan = try ManifestFixtures.plan(text)
        #expect(ManifestFixtures.lines(plan) == ["everything -: \(parts)"])
        #expect(plan.notes.count == (parts.contains(" g ") ? 1 : 0))
    }

    static let failures: [(String, PlaylistErrorCode)] = [
        ("<SegmentTemplate media='$Number$'/>", .invalid),
        ("<SegmentTemplate media='$Unknown$' duration='1'/>", .invalid),
        ("<SegmentTemplate media='$Number' duration='1'/>", .invalid),
        ("<SegmentTemplate media='$Number%099d$' duration='1'/>", .invalid),
        ("<SegmentTemplate media='$Number%d$' duration='1'/>", .invalid),
        ("<SegmentTemplate media='$Number$' duration='0'/>", .invalid),
        ("<SegmentTemplate media='$Number$' duration='1' timescale='0'/>", .invalid),
        ("<SegmentTemplate media='$Number$' duration='1' timescale='-1'/>", .invalid),
        ("<SegmentTemplate media='$Number$' duration='1' timescale='1000000'/>", .tooLarge),
        ("<SegmentTemplate media='$Number$' duration='1' endNumber='9000000000'/>", .tooLarge),
        ("<SegmentTemplate media='$Number$' duration='99999999999999999999'/>", .invalid),
        (
            "<SegmentTemplate media='$Time$'><SegmentTimeline><S d='1' r='9999999999'/>"
                + "</SegmentTimeline></SegmentTemplate>", .tooLarge
        ),
        (
            "<SegmentTemplate media='$Time$'><SegmentTimeline>"
                + String(
                    repeating: "<S t='1152921504606846976' d='1152921504606846976' r='9'/>",
                    count: 2
                )
                + "</SegmentTimeline></SegmentTemplate>", .invalid
        ),
        (
            "<SegmentTemplate media='$Time$' presentationTimeOffset='999999999'><SegmentTimeline>"
                + String(repeating: "<S t='0' d='1' r='90000'/>", count: 1_000)
                + "</SegmentTimeline></SegmentTemplate>", .tooLarge
        ),
        (
            "<SegmentTemplate media='$Time$'><SegmentTimeline><S t='0'/></SegmentTimeline>"
                + "</SegmentTemplate>", .invalid
        ),
        ("<SegmentTemplate media='$Time$'><SegmentTimeline/></SegmentTemplate>", .invalid),
        ("<SegmentTemplate media='file:///etc/passwd' duration='1'/>", .forbiddenAddress),
        ("<SegmentTemplate media='data:$Number$' duration='1'/>", .forbiddenAddress),
        ("<BaseURL>file:///etc/</BaseURL>", .forbiddenAddress),
        ("<BaseURL byteRange='$first$'>a</BaseURL>", .unsupported),
        ("<SegmentList><SegmentURL mediaRange='9-5'/></SegmentList>", .invalid),
        ("<SegmentList><SegmentURL mediaRange='5'/></SegmentList>", .invalid),
        ("<SegmentList><SegmentURL media='a'/><SegmentURL media='b'/></SegmentList>", .invalid),
        ("<SegmentBase/>", .invalid),
        ("", .invalid),
    ]

    @Test(arguments: failures)
    func damagedListsAreRefused(element: String, code: PlaylistErrorCode) {
        let text = ManifestFixtures.manifest(
            "<AdaptationSet contentType='video'><Representation id='r'>\(element)</Representation>"
                + "</AdaptationSet>"
        )
        let error = #expect(throws: PlaylistError.self) { try ManifestFixtures.plan(text) }
        #expect(error?.code == code)
        #expect(error?.message.contains("secret") == false)
    }
}
