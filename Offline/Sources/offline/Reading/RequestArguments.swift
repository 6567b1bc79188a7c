// SPDX-License-Identifier: Apache-2.0
import OfflineModel

/// The options about the requests of an address, which several commands take.
struct RequestArguments: Equatable {
    var allowsPrivateAddresses = false
    /// The options, except the cookies.
    var texts = RequestOptions.Texts()
    /// The file with the cookies, or nil without one.
    var cookieFile: String?
    /// The browser whose cookies are used, or nil for none.
    var cookieBrowser: String?

    private var headers: [String] {
        get { texts.headers ?? [] }
        set { texts.headers = newValue }
    }

    /// The explanation of `--allow-private`.
    static let permission = "also download from private addresses, such as a home server"

    static var table: OptionTable<Self> {
        [
            .flag("--allow-private", into: \.allowsPrivateAddresses): permission,
            .options("--header", .text("'NAME: VALUE'"), into: \.headers):
                "send this header to the server of the address, and to no other; other users can "
                + "see it while the command runs",
            .option("--referrer", .text("ADDRESS"), into: \.texts.referrer):
                "name this page as the one that leads to the address",
            .option("--cookies", .path("FILE"), into: \.cookieFile):
                "send the cookies of a cookies.txt that belong to the address",
            .option("--cookies-from-browser", .browser, into: \.cookieBrowser):
                "send the cookies that Firefox has of the address",
            .option("--proxy", .text("ADDRESS"), into: \.texts.proxy):
                "download through http://HOST:PORT, https:…, socks5:… or socks5h:…",
        ]
    }

    static var limit: OptionTable<Self> {
        [
            .option("--limit", .text("RATE", offered: SpeedLimit.usualWords), into: \.texts.limit):
                "receive at most so many bytes per second of each address, such as 2M, or none; a "
                + "recording is never slowed down"
        ]
    }
}

extension ValueKind<String> {
    fileprivate static var browser: ValueKind { .text("firefox[:PROFILE]", offered: ["firefox"]) }

    /// The address of something to fetch, perhaps with text around it.
    static func webAddress(of command: String) -> ValueKind {
        .text(
            "ADDRESS",
            missing: "The address is missing. Use: offline \(command) https://…"
        )
    }
}
