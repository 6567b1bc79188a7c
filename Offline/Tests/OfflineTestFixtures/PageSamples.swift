// SPDX-License-Identifier: Apache-2.0

extension PageSample {
    /// Pages with elements of HTML.
    package static let elements: [PageSample] = [
        PageSample(
            "a video with one source",
            "<video src='film.mp4' poster='p.jpg' controls></video>",
            "/watch/film.mp4"
        ),
        PageSample(
            "a video in several formats and qualities",
            """
            <video controls><source src=/v/film-720p.mp4 type=video/mp4>
            <source src=/v/film-1080p.mp4 type=video/mp4><source src=/v/film.webm type=video/webm>
            <track src=/v/en.vtt srclang=en label=English></video>
            """,
            "/v/film-1080p.mp4"
        ),
        PageSample(
            "an audio element",
            "<audio controls><source src=/a/talk.ogg><source src=/a/talk.mp3></audio>",
            "/a/talk.ogg"
        ),
        PageSample(
            "a video that is loaded late",
            "<video class=lazy data-src='/v/late.mp4' data-poster=p.jpg></video>",
            "/v/late.mp4"
        ),
        PageSample(
            "Plyr with sizes",
            """
            <video id=player playsinline controls><source src=/v/576.mp4 type=video/mp4 size=576>
            <source src=/v/1080.mp4 type=video/mp4 size=1080></video>
            <script>const player = new Plyr('#player', { quality: { default: 576 } });</script>
            """,
            "/v/1080.mp4"
        ),
        PageSample(
            "MediaElement with its markup",
            """
            <div class=mejs__container><video><source type=application/x-mpegURL src=/live/x>
            <source type=video/mp4 src=/v/echo.mp4></video></div>
            """,
            "/live/x"
        ),
        PageSample(
            "AMP",
            """
            <amp-video width=640 height=360 layout=responsive poster=p.jpg>
            <source src='/v/amp.m3u8' type=application/vnd.apple.mpegurl>
            <source src='/v/amp.mp4' type=video/mp4></amp-video>
            """,
            "/v/amp.m3u8"
        ),
        PageSample(
            "an element of its own",
            "<media-player title='Reef' src='/v/reef.m3u8'></media-player>",
            "/v/reef.m3u8"
        ),
        PageSample(
            "markup without scripts",
            "<noscript><video src=/v/plain.mp4></video></noscript>",
            "/v/plain.mp4"
        ),
        PageSample(
            "links to the qualities of one file",
            "<p><a href=talk-480p.mp4>Small</a> <a href=talk-1080p.mp4>Large</a>",
            "/watch/talk-1080p.mp4"
        ),
        PageSample(
            "a background beside a film",
            """
            <video autoplay muted loop playsinline src=/bg.mp4></video>
            <video controls src=/v/film.mp4></video>
            """,
            "/v/film.mp4",
            "/bg.mp4"
        ),
    ]

    /// Pages that describe media for other programs.
    package static let descriptions: [PageSample] = [
        PageSample(
            "Open Graph",
            """
            <meta property=og:video content='https://cdn.example/og.mp4'>
            <meta property=og:video:type content=video/mp4><meta property=og:title content=Reef>
            """,
            "https://cdn.example/og.mp4"
        ),
        PageSample(
            "a Twitter card",
            "<meta name=twitter:player:stream content=/v/card.mp4>",
            "/v/card.mp4"
        ),
        PageSample(
            "a VideoObject",
            """
            <script type=application/ld+json>{"@context":"https://schema.org",
            "@type":"VideoObject","name":"Reef","duration":"PT1M30S","thumbnailUrl":["/t.jpg"],
            "contentUrl":"https://cdn.example/get?id=7"}</script>
            """,
            "https://cdn.example/get?id=7"
        ),
        PageSample(
            "a VideoObject in a graph",
            """
            <script type="application/ld+json">{"@graph":[{"@type":"WebPage","url":"/x"},
            {"@type":"NewsArticle","headline":"N","video":{"@type":"VideoObject",
            "contentUrl":"/v/graph.mp4","name":"Inner"}}]}</script>
            """,
            "/v/graph.mp4"
        ),
        PageSample(
            "an episode of a podcast",
            """
            <script type="application/ld+json">[{"@type":"PodcastEpisode","name":"Episode 7",
            "associatedMedia":{"@type":"MediaObject","contentUrl":"/a/7.mp3"}}]</script>
            """,
            "/a/7.mp3"
        ),
        PageSample(
            "a description of the film of the player",
            """
            <meta property=og:video content=/v/shared.mp4>
            <script type="application/ld+json">{"@type":"VideoObject","name":"Reef",
            "contentUrl":"/v/described.mp4"}</script>
            <video><source src=/v/master.m3u8 type=application/x-mpegURL></video>
            """,
            "/v/master.m3u8"
        ),
    ]
}
