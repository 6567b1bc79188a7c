// SPDX-License-Identifier: Apache-2.0
import Foundation

extension PageSample {
    /// Pages with players whose settings come from scripts and attributes.
    package static let players: [PageSample] = [
        PageSample(
            "JW Player with sources",
            """
            <script>jwplayer("p").setup({ playlist: [{ title: "Reef", image: "/p.jpg",
            sources: [{ file: "/v/reef.mp4", label: "720p" }, { file: "/v/reef.m3u8" }],
            tracks: [{ file: "/v/en.vtt", kind: "captions" }] }] });</script>
            """,
            "/v/reef.m3u8"
        ),
        PageSample(
            "JW Player with a playlist",
            """
            <script>jwplayer("p").setup({ playlist: [{ title: "One", file: "/v/one.mp4" },
            { title: "Two", file: "/v/two.mp4" }] });</script>
            """,
            "/v/one.mp4",
            "/v/two.mp4"
        ),
        PageSample(
            "Video.js with its attribute",
            """
            <video class="video-js" data-setup='{"sources":
            [{"src":"/v/setup?id=1","type":"application/x-mpegURL"}]}'></video>
            """,
            "/v/setup?id=1"
        ),
        PageSample(
            "Video.js in a script",
            """
            <video id=v></video><script>videojs('v').src({src: '/v/vjs.mpd', type:
            'application/dash+xml'}); videojs('v').src([{src:'/v/vjs-720.mp4'}]);</script>
            """,
            "/v/vjs.mpd",
            "/v/vjs-720.mp4"
        ),
        PageSample(
            "hls.js",
            """
            <video id=v></video><script>if (Hls.isSupported()) { var hls = new Hls();
            hls.loadSource("https:\\/\\/cdn.example\\/x\\/index.m3u8?a=1\\u0026b=2"); }
            else { v.src = 'https://cdn.example/x/index.m3u8?a=1&amp;b=2'; }</script>
            """,
            "https://cdn.example/x/index.m3u8?a=1&b=2"
        ),
        PageSample(
            "dash.js",
            "<script>dashjs.MediaPlayer().create().initialize(v, '/v/x.mpd', true);</script>",
            "/v/x.mpd"
        ),
        PageSample(
            "Flowplayer",
            """
            <div class=player data-item='{"clip":{"sources":[{"type":"video/mp4",
            "src":"/v/flow.mp4"},{"type":"application/x-mpegurl","src":"/v/flow.m3u8"}]}}'></div>
            """,
            "/v/flow.m3u8"
        ),
        PageSample(
            "Clappr",
            "<script>new Clappr.Player({source: '/v/clappr.m3u8', parentId: '#p'});</script>",
            "/v/clappr.m3u8"
        ),
        PageSample(
            "Shaka Player",
            "<script>await player.load('/v/shaka.m3u8');</script>",
            "/v/shaka.m3u8"
        ),
        PageSample(
            "DPlayer with qualities",
            """
            <script>new DPlayer({video: {quality: [{name: 'HD', url: '/v/d-720.mp4'},
            {name: 'SD', url: '/v/d-480.mp4'}], pic: '/p.jpg'}});</script>
            """,
            "/v/d-720.mp4"
        ),
        PageSample(
            "the state of an application",
            """
            <script type="application/json" id="__DATA__">{"props":{"media":{"title":"Reef",
            "video_url":"https:\\/\\/cdn.example\\/s.mp4","height":1080}}}</script>
            """,
            "https://cdn.example/s.mp4"
        ),
        PageSample(
            "JSON in a text of JSON",
            """
            <script>window.S = JSON.parse("{\\"hlsUrl\\":\\"https:\\/\\/cdn.example\\/n.m3u8\\"}")
            </script>
            """,
            "https://cdn.example/n.m3u8"
        ),
        PageSample(
            "an attribute for a stream",
            "<div data-hls='/stream/9' data-title='Reef' data-duration='90'></div>",
            "/stream/9"
        ),
        PageSample(
            "Playerjs with qualities",
            """
            <script>new Playerjs({id: "p", file: "[360p]/v/reef_360.mp4,[1080p]/v/reef_1080.mp4 or
            /v/mirror_1080.mp4", poster: "/p.jpg"});</script>
            """.replacingOccurrences(of: "\n", with: " "),
            "/v/reef_1080.mp4"
        ),
        PageSample(
            "Playerjs with a mirror",
            """
            <script>new Playerjs({file: "https://a.example/x.m3u8 or https://b.example/x.m3u8"});
            </script>
            """,
            "https://a.example/x.m3u8"
        ),
        PageSample(
            "the settings of Vimeo's player",
            """
            <script>window.playerConfig = {"request":{"files":{"dash":{"cdns":{"one":{"url":
            "https://one.example/playlist.json"}}},"hls":{"cdns":{"one":{"url":
            "https://one.example/hls/x.m3u8"},"two":{"url":"https://two.example/hls/y.m3u8"}},
            "default_cdn":"one"},"progressive":[{"url":"https://p.example/7f3/reef-720.mp4",
            "height":720,"quality":"720p"}]}},"video":{"title":"Reef"}}</script>
            """,
            "https://one.example/hls/x.m3u8"
        ),
        PageSample(
            "a script with a regular expression",
            """
            <script>var r=/["']/g,u="x";play("https:\\/\\/cdn.example\\/r.m3u8",'y')</script>
            """,
            "https://cdn.example/r.m3u8"
        ),
    ]
}
