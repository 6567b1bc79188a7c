// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

/// The subtitles of a site in one language, as yt-dlp describes the subtitles.
struct SiteSubtitle: Hashable {
    /// The language as the site names it.
    var language: String
    /// The name for the user, or nil if the site states none.
    var name: String?
    /// The address of a file that can be kept, or nil without such a file.
    var address: WebAddress?
    /// Whether the stream contains the subtitles.
    var isInStream = false

    /// Creates the subtitles of a language from all forms in which the site offers them.
    init(_ language: String, _ forms: [Form]) {
        self.language = language
        let files = forms.filter { !$0.isInStream }
        let kept = ["vtt", "srt"].lazy.compactMap { format in
            files.first { $0.format == format && $0.address != nil }
        }.first
        address = kept?.address
        name = kept?.name
        isInStream = forms.contains(where: \.isInStream)
    }

    /// One form of subtitles.
    struct Form: Decodable, Hashable {
        var address: WebAddress?
        var format: String?
        var name: String?
        var isInStream: Bool

        private enum CodingKeys: String, CodingKey {
            case url, ext, name
            case way = "protocol"
        }

        /// Decodes a form.
        ///
        /// A value of another type counts as missing.
        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            address = values.lenient(String.self, .url)
                .flatMap { $0.utf8.count <= PageFindings.addressLength ? try? WebAddress($0) : nil }
            format = values.lenient(String.self, .ext)
            name = values.lenient(String.self, .name)
            let way = values.lenient(String.self, .way) ?? ""
            isInStream = ["m3u8", "dash"].contains(where: way.contains)
        }
    }
}
