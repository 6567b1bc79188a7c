// SPDX-License-Identifier: Apache-2.0

extension PageSample {
    /// Pages with the film `/v/film.mp4` and subtitles at `/en.vtt` and `/de.vtt`.
    ///
    /// The subtitles are in English and German.
    package static let subtitled: [PageSample] = [
        PageSample(
            "JW Player",
            """
            <script>jwplayer("p").setup({ file: "/v/film.mp4", tracks: [
            { file: "/en.vtt", label: "English", kind: "captions", "default": true },
            { file: "/de.vtt", label: "Deutsch", kind: "captions" },
            { file: "/small.vtt", kind: "thumbnails" }] });</script>
            """
        ),
        PageSample(
            "Video.js with its attribute",
            """
            <video class=video-js data-setup='{"sources":[{"src":"/v/film.mp4","type":"video/mp4"}],
            "tracks":[{"kind":"captions","src":"/en.vtt","srclang":"en"},
            {"kind":"subtitles","src":"/de.vtt","srclang":"de"},
            {"kind":"metadata","src":"/cues.vtt"}]}'></video>
            """
        ),
        PageSample(
            "Video.js in scripts",
            """
            <video id=v></video><script>videojs('v').src({src: '/v/film.mp4', type: 'video/mp4'});
            </script><script>
            videojs('v').addRemoteTextTrack({kind: 'captions', src: '/en.vtt', srclang: 'en'});
            videojs('v').addRemoteTextTrack({kind: 'captions', src: '/de.vtt', srclang: 'de'});
            videojs('v').vttThumbnails({src: '/small.vtt'});</script>
            """
        ),
        PageSample(
            "Plyr",
            """
            <script>player.source = { type: 'video', title: 'Reef', sources: [{ src: '/v/film.mp4',
            type: 'video/mp4', size: 720 }], previewThumbnails: { src: '/small.vtt' }, tracks: [
            { kind: 'captions', label: 'English', srclang: 'en', src: '/en.vtt', default: true },
            { kind: 'captions', label: 'Deutsch', srclang: 'de', src: '/de.vtt' }] };</script>
            """
        ),
        PageSample(
            "THEOplayer",
            """
            <script>player.source = { sources: [{ src: '/v/film.mp4', type: 'video/mp4' }],
            textTracks: [{ kind: 'subtitles', src: '/en.vtt', srclang: 'en' },
            { kind: 'subtitles', src: '/de.vtt', srclang: 'de' }] };</script>
            """
        ),
        PageSample(
            "Bitmovin",
            """
            <script>player.load({ title: 'Reef', progressive: '/v/film.mp4', thumbnailTrack:
            { url: '/small.vtt' }, subtitleTracks: [
            { id: 's1', kind: 'subtitle', lang: 'en', label: 'English', url: '/en.vtt' },
            { id: 's2', kind: 'subtitle', lang: 'de', label: 'Deutsch', url: '/de.vtt' }] });
            </script>
            """
        ),
        PageSample(
            "the state of an application",
            """
            <script id=__NEXT_DATA__ type="application/json">{"props":{"pageProps":{"video":
            {"url":"/v/film.mp4","title":"Reef"},"captions":[{"language":"en","url":"/en.vtt"},
            {"language":"de","url":"/de.vtt"}]}}}</script>
            """
        ),
        PageSample(
            "addresses by language",
            """
            <script>play({ file: '/v/film.mp4', subtitles: { en: '/en.vtt', de: '/de.vtt' } });
            </script>
            """
        ),
        PageSample(
            "a VideoObject",
            """
            <script type="application/ld+json">{"@type":"VideoObject","contentUrl":"/v/film.mp4",
            "caption":[{"@type":"MediaObject","inLanguage":"en","contentUrl":"/en.vtt"},
            {"@type":"MediaObject","inLanguage":"de","contentUrl":"/de.vtt"}]}</script>
            """
        ),
        PageSample(
            "tracks beside a player in a script",
            """
            <video id=v><track src=/en.vtt srclang=en><track kind=subtitles src=/de.vtt srclang=de>
            <track kind=metadata src=/cues.vtt></video>
            <script>load({ file: '/v/film.mp4' })</script>
            """
        ),
        PageSample(
            "an element of its own",
            """
            <media-player src=/v/film.mp4><media-provider><track src=/en.vtt srclang=en>
            <track src=/de.vtt srclang=de></media-provider></media-player>
            """
        ),
    ]

    /// Pages that contain the chapters “Intro” at 0 and “Fish” at 90 seconds.
    package static let divided: [PageSample] = [
        PageSample(
            "Podlove",
            """
            <script>podlovePlayer('#p', {"title":"Episode 7","audio":[{"url":"/v/film.mp3",
            "mimeType":"audio/mp3"}],"chapters":[{"start":"00:00:00.000","title":"Intro"},
            {"start":"00:01:30.000","title":"Fish","href":"https://x.example/fish.mp4"}]});</script>
            """
        ),
        PageSample(
            "clips of a VideoObject",
            """
            <script type="application/ld+json">{"@type":"VideoObject","contentUrl":"/v/film.mp4",
            "hasPart":[{"@type":"Clip","name":"Intro","startOffset":0,"endOffset":90,
            "url":"/v/film.mp4?t=0"},{"@type":"Clip","name":"Fish","startOffset":90,
            "url":"/v/film.mp4?t=90"}]}</script>
            """
        ),
        PageSample(
            "a player",
            """
            <script>play({ file: '/v/film.m3u8', chapters: [{ time: 0, label: 'Intro' },
            { time: 90, label: 'Fish' }] });</script>
            """
        ),
    ]
}
