// SPDX-License-Identifier: Apache-2.0
package import OfflineModel

extension WebVTTDocument {
    /// The chapters, with the text of the cues as titles.
    package var chapters: [Chapter] {
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
