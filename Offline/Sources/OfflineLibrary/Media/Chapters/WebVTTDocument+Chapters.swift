// SPDX-License-Identifier: Apache-2.0

extension WebVTTDocument {
    /// The texts as the titles of chapters.
    var chapters: [Chapter] {
        Chapter.list(
            cues.lazy.map { cue in
                let plain = cue.text.replacing(/<[^>]*>/, with: "")
                    .replacing("&lt;", with: "<").replacing("&gt;", with: ">")
                    .replacing("&amp;", with: "&")
                return (start: cue.start, title: plain)
            }
        )
    }
}
