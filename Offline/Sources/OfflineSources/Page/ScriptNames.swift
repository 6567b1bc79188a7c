// SPDX-License-Identifier: Apache-2.0

/// The names that players and pages use in their settings, in lowercase.
enum ScriptNames {
    /// The names of objects with several forms of one medium.
    static let qualities: Set<String> = [
        "sources", "source", "src", "srcs", "files", "formats", "qualities", "quality", "levels",
        "renditions", "streams", "stream", "variants", "versions", "progressive", "hls", "dash",
        "mp4", "webm", "encodings", "encoding", "associatedmedia", "audio", "media", "video_files",
        "mediafiles", "transcodings", "cdns", "urls", "request", "default",
    ]

    /// The names of pictures.
    static let pictures: Set<String> = [
        "image", "poster", "thumbnail", "thumbnailurl", "thumbnail_url", "thumb", "picture",
        "cover", "splash", "artwork", "posterurl",
    ]

    /// The names of addresses that are media if the object states a type of media.
    static let addresses: Set<String> = ["file", "src", "url", "source", "uri", "href", "link"]

    /// The names of addresses that are media in a certain format.
    static let formats: [String: PageMedia.Format] = [
        "contenturl": .video, "hls": .hls, "hlsurl": .hls, "hls_url": .hls, "m3u8": .hls,
        "hlsmanifesturl": .hls, "loadsource": .hls, "hls.loadsource": .hls, "hlssrc": .hls,
        "dash": .dash, "dashurl": .dash, "dash_url": .dash, "mpd": .dash, "videourl": .video,
        "video_url": .video, "mp4": .video, "webm": .video, "mp4url": .video, "audiourl": .audio,
        "audio_url": .audio, "mp3": .audio,
    ]

    /// The names of languages.
    static let languages: Set<String> = [
        "srclang", "lang", "language", "languagecode", "language_code", "inlanguage",
    ]

    /// The names of objects with chapters.
    static let chapters: Set<String> = [
        "chapters", "chapter", "haspart", "chaptermarkers", "chapter_markers", "chaptersurl",
    ]

    /// The names of the start of a chapter.
    static let starts: Set<String> = [
        "start", "starttime", "start_time", "startoffset", "time", "timecode",
    ]

    /// The names of objects with the spoken text.
    static let transcripts: Set<String> = ["transcripts", "transcript"]

    /// The names of settings of advertisements.
    static let advertising: Set<String> = [
        "advertising", "ads", "ad", "vast", "ima", "preroll", "adschedule", "trailer", "preview",
    ]

    /// The names of settings of copy protection.
    static let protection: Set<String> = [
        "drm", "widevine", "playready", "fairplay", "keysystems", "drmsystems", "emeoptions",
    ]

    /// The systems of copy protection that browsers support.
    static let systems: Set<String> = [
        "com.widevine.alpha", "com.microsoft.playready", "com.microsoft.playready.recommendation",
        "com.apple.fps", "com.apple.fps.1_0",
    ]
}
