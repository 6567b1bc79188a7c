// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel

extension DownloadError {
    /// A cause for which yt-dlp finds no media.
    private struct Cause {
        /// Words of yt-dlp, in lowercase.
        let words: [String]
        let code: Code
        /// The fault and its remedy, after the name of the site.
        let message: String
        var isTransient = false
        var requiresLogIn = false
    }

    /// The causes.
    ///
    /// The specific causes come first, because a message often names several.
    private static let causes = [
        Cause(
            words: ["drm"],
            code: .refused,
            message: protection
        ),
        Cause(
            words: ["confirm your age", "age-restricted", "age restricted", "age verification"],
            code: .refused,
            message: "shows this only to people who have proved their age. offline cannot do that; "
                + "look for it elsewhere."
        ),
        Cause(
            words: [
                "in your country", "geo restrict", "geo-restrict", "from your location",
                "in your region", "from your country", "geoblocked",
            ],
            code: .refused,
            message: "does not offer this in your country. Look for it elsewhere."
        ),
        Cause(
            words: ["premieres in", "will begin in", "not started", "is upcoming"],
            code: .refused,
            message: "has not published this yet. Try again later."
        ),
        Cause(
            words: ["429", "too many requests"],
            code: .status,
            message: "limits the number of requests. Wait, then try again.",
            isTransient: true
        ),
        Cause(
            words: [
                "sign in", "log in", "login", "--cookies", "registered users", "password",
                "members-only", "members only", "private video", "subscribers", "subscription",
                "premium", "error 401",
            ],
            code: .refused,
            message: "shows this only after a log-in, which offline does not have. Look for a "
                + "public copy.",
            requiresLogIn: true
        ),
        Cause(
            words: [
                "removed", "no longer available", "does not exist", "has been deleted",
                "video unavailable", "not found", "error 404", "error 410", "is not available",
            ],
            code: .status,
            message: "does not have this any more. Check the address."
        ),
        Cause(
            words: [
                "timed out", "connection", "name resolution", "tunnel", "proxy", "network",
                "error 5", "ssl", "incompleteread",
            ],
            code: .connection,
            message: "could not be reached by yt-dlp. Try again later.",
            isTransient: true
        ),
    ]

    private static let logIn =
        "shows this only after a log-in, and yt-dlp does not get the cookies of an item. Paste the "
        + "address of the media itself, which the browser's developer tools show under Network."

    private static let protection =
        "protects its media against copying (DRM), so offline cannot keep them. Look for another "
        + "edition without protection."

    /// Creates the error for media that are protected against copying.
    init(protectedAt site: String) {
        self.init(.refused, "\(site) \(Self.protection)")
    }

    /// Creates the error for a site at which yt-dlp finds no media, or nil if yt-dlp cannot read
    /// the site.
    ///
    /// The message for the user contains none of the words, because they may contain secret
    /// addresses.
    ///
    /// - Parameters:
    ///   - words: The last lines of yt-dlp's standard error.
    ///   - site: The host.
    ///   - hasLogIn: Whether the item has cookies, which yt-dlp does not get.
    init?(words: String, at site: String, hasLogIn: Bool = false) {
        let words = words.lowercased()
        if words.contains("unsupported url") { return nil }
        guard let cause = Self.causes.first(where: { $0.words.contains(where: words.contains) })
        else {
            self.init(
                .unsupported,
                "yt-dlp found no media at \(site). Sites change often: install its newest version, "
                    + "then try again."
            )
            return
        }
        let message = hasLogIn && cause.requiresLogIn ? Self.logIn : cause.message
        self.init(cause.code, "\(site) \(message)")
        isTransient = cause.isTransient
    }

    /// Creates the error for a run of yt-dlp that exceeded a limit or crashed.
    init(resolver error: MediaError, at site: String) {
        switch error.code {
        case .cancelled:
            self.init(error as any Error)
        case .timedOut:
            self.init(
                .connection,
                "yt-dlp needed too long for \(site) and was stopped. Try again later."
            )
        case .toolMissing, .cannotRead, .notMedia, .incomplete, .formatChanges, .wrongKey,
            .tooLarge, .noSpace, .failed:
            self.init(.unsupported, error.message, cause: error)
        }
    }

    /// Creates the error for output of yt-dlp that cannot be read.
    init(unreadableResolutionOf site: String) {
        self.init(
            .unsupported,
            "yt-dlp described \(site) in a way that offline cannot read. Install its newest "
                + "version, then try again."
        )
    }
}
