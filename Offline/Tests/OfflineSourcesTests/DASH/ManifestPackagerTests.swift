// SPDX-License-Identifier: Apache-2.0
import OfflineTestFixtures
import Testing

@testable import OfflineModel
@testable import OfflineSources

/// Manifests in the styles of common packagers.
@Suite(.timeLimit(.minutes(15)))
struct ManifestPackagerTests {
    @Test func aTimelineOfFFmpeg() throws {
        let text = ManifestFixtures.manifest(
            """
            <AdaptationSet id="0" contentType="video" startWithSAP="1" segmentAlignment="true">
            <Representation id="0" mimeType="video/mp4" codecs="avc1.42c00d" bandwidth="91006"
              width="320" height="180"><SegmentTemplate timescale="16384"
              initialization="init-stream$RepresentationID$.m4s"
              media="chunk-stream$RepresentationID$-$Number%05d$.m4s" startNumber="1">
              <SegmentTimeline><S t="0" d="65536" r="1" /><S d="32768"/></SegmentTimeline>
            </SegmentTemplate></Representation></AdaptationSet>
            <AdaptationSet id="1" contentType="audio" lang="eng"><Representation id="1"
              mimeType="audio/mp4" codecs="mp4a.40.2" bandwidth="128000" audioSamplingRate="44100">
              <AudioChannelConfiguration value="1"
              schemeIdUri="urn:mpeg:dash:23003:3:audio_channel_configuration:2011"/>
              <SegmentTemplate timescale="44100" initialization="init-stream$RepresentationID$.m4s"
              media="chunk-stream$RepresentationID$-$Number%05d$.m4s" startNumber="1">
              <SegmentTimeline><S t="0" d="176128" r="1"/><S d="88744"/></SegmentTimeline>
            </SegmentTemplate></Representation></AdaptationSet>
            """
        )
        let plan = try ManifestFixtures.plan(text)
        #expect(
            ManifestFixtures.lines(plan) == [
                "pictures -: i:init-stream0.m4s chunk-stream0-00001.m4s chunk-stream0-00002.m4s "
                    + "chunk-stream0-00003.m4s",
                "sound eng: i:init-stream1.m4s chunk-stream1-00001.m4s chunk-stream1-00002.m4s "
                    + "chunk-stream1-00003.m4s",
            ]
        )
        #expect(ManifestFixtures.durations(plan.tracks[0]) == [4, 4, 2])
        #expect(plan.notes.isEmpty)
    }

    @Test func aListOfFFmpeg() throws {
        let text = ManifestFixtures.manifest(
            """
            <AdaptationSet contentType="video"><Representation id="0" mimeType="video/mp4"
              codecs="avc1.640015" bandwidth="1" width="640" height="360">
              <BaseURL>v-stream0.mp4</BaseURL>
              <SegmentList timescale="1000000" duration="5000000" startNumber="1">
              <Initialization range="0-830" />
              <SegmentURL mediaRange="831-9999" indexRange="831-874" />
              <SegmentURL mediaRange="10000-20000" indexRange="10000-10043"/></SegmentList>
            </Representation></AdaptationSet>
            """
        )
        let plan = try ManifestFixtures.plan(text)
        #expect(
            ManifestFixtures.lines(plan) == [
                "everything -: i:v-stream0.mp4[0+831] v-stream0.mp4[831+9169] "
                    + "v-stream0.mp4[10000+10001]"
            ]
        )
    }

    /// Shaka Packager on demand, YouTube and MP4Box write one file for each track.
    @Test(arguments: ["SegmentBase", "YouTube", "noElement"])
    func wholeFiles(style: String) throws {
        let element = [
            "SegmentBase": """
            <SegmentBase indexRange="823-1146" timescale="12288" presentationTimeOffset="0">
            <Initialization range="0-822"/></SegmentBase>
            """,
            "YouTube": """
            <SegmentBase indexRange="741-1960" indexRangeExact="true">
            <Initialization range="0-740"/></SegmentBase>
            """,
        ]
        let text = ManifestFixtures.manifest(
            """
            <AdaptationSet mimeType="video/mp4"><Representation id="137" codecs="avc1.640028"
              width="1920" height="1080" bandwidth="4190000"><BaseURL>videoplayback/137</BaseURL>
              \(element[style] ?? "")</Representation></AdaptationSet>
            <AdaptationSet mimeType="audio/mp4"><Representation id="140" codecs="mp4a.40.2"
              bandwidth="130000"><BaseURL>videoplayback/140</BaseURL>\(element[style] ?? "")
            </Representation></AdaptationSet>
            """
        )
        let plan = try ManifestFixtures.plan(text)
        #expect(
            ManifestFixtures.lines(plan) == [
                "pictures -: videoplayback/137", "sound -: videoplayback/140",
            ]
        )
        #expect(ManifestFixtures.durations(plan.tracks[0]) == [10])
    }

    /// Bento4 and Unified name the address once for all representations.
    @Test func anInheritedTemplate() throws {
        let text = ManifestFixtures.manifest(
            """
            <BaseURL>dash/</BaseURL>
            <AdaptationSet group="1" contentType="audio" lang="de" mimeType="audio/mp4">
            <Label>Deutsch</Label><Role schemeIdUri="urn:mpeg:dash:role:2011" value="main"/>
            <SegmentTemplate timescale="48000" initialization="x-$RepresentationID$.dash"
              media="x-$RepresentationID$-$Time$.dash"><SegmentTimeline><S t="0" d="240000" r="1"/>
            </SegmentTimeline></SegmentTemplate>
            <Representation id="audio=64000" bandwidth="64000" codecs="mp4a.40.2"/>
            <Representation id="audio=128000" bandwidth="128000" codecs="mp4a.40.2"/>
            </AdaptationSet>
            <AdaptationSet group="2" contentType="video" mimeType="video/mp4">
            <SegmentTemplate timescale="600" initialization="x-$RepresentationID$.dash"
              media="x-$RepresentationID$-$Time$.dash"><SegmentTimeline>
              <S t="0" d="3000" r="-1"/></SegmentTimeline></SegmentTemplate>
            <Representation id="video=1000" bandwidth="1000" width="640" height="360"/>
            <Representation id="video=2000" bandwidth="2000" width="1280" height="720"/>
            </AdaptationSet>
            """
        )
        #expect(
            ManifestFixtures.lines(try ManifestFixtures.plan(text)) == [
                "pictures -: i:dash/x-video=2000.dash dash/x-video=2000-0.dash "
                    + "dash/x-video=2000-3000.dash",
                "sound deu: i:dash/x-audio=128000.dash dash/x-audio=128000-0.dash "
                    + "dash/x-audio=128000-240000.dash",
            ]
        )
        let small = try ManifestFixtures.plan(text, .height(480))
        #expect(ManifestFixtures.lines(small)[0].contains("video=1000-0"))
        #expect(small.notes == ["The stream does not have 480p; 360p was kept."])
    }

    /// AWS MediaTailor joins a film and advertisements to several periods.
    @Test func periodsAreSections() throws {
        func period(_ name: String, _ offset: Int) -> String {
            """
            <Period id="\(name)" duration="PT4S"><BaseURL>\(name)/</BaseURL>
            <AdaptationSet mimeType="video/mp4"><SegmentTemplate timescale="10" startNumber="7"
              presentationTimeOffset="\(offset)" initialization="i.mp4" media="$Number$.mp4">
              <SegmentTimeline><S t="\(offset - 20)" d="20" r="3"/></SegmentTimeline>
            </SegmentTemplate><Representation id="1" height="90" bandwidth="1"/></AdaptationSet>
            </Period>
            """
        }
        let text =
            "<MPD type='static'>" + period("a", 400) + "<Period duration='PT0S'/>"
            + period("b", 800) + "</MPD>"
        #expect(
            ManifestFixtures.lines(try ManifestFixtures.plan(text)) == [
                "everything -: i:a/i.mp4 a/8.mp4 a/9.mp4 i:b/i.mp4 |b/8.mp4 b/9.mp4 b/10.mp4"
            ]
        )
    }
}
