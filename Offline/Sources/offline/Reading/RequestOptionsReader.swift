// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel

/// Reads the options of a command line, and the cookies of a file or of a browser.
struct RequestOptionsReader {
    /// The environment variables of the program.
    let variables: [String: String]

    /// Returns the options of the requests.
    ///
    /// - Throws: `UsageError`. The message contains no value of an option.
    func options(of requests: RequestArguments) throws(UsageError) -> RequestOptions {
        do {
            var options = try RequestOptions(requests.texts)
            if let file = requests.cookieFile {
                options.cookies = try CookieFile(text(of: file)).cookies
            }
            if let browser = requests.cookieBrowser { options.cookies += try cookies(of: browser) }
            return options
        } catch {
            throw UsageError(reading: error)
        }
    }

    private func text(of file: String) throws(UsageError) -> String {
        let handle = FileHandle(forReadingAtPath: file)
        defer { try? handle?.close() }
        guard let data = try? handle?.read(upToCount: CookieFile.longestText + 1),
            let text = String(data: data, encoding: .utf8)
        else {
            throw UsageError(
                "The cookies in \(Terminal.clean(file)) cannot be read. Use --cookies with a file "
                    + "in the format of cookies.txt."
            )
        }
        return text
    }

    private func cookies(of browser: String) throws -> [Cookie] {
        let parts = browser.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.first?.lowercased() == "firefox" else {
            throw UsageError(
                "The cookies of this browser cannot be read; Chromium and its relatives encrypt "
                    + "them. Export those of the site as cookies.txt, for example with an "
                    + "extension, and use --cookies FILE."
            )
        }
        let profile = try FirefoxProfile(
            named: parts.count > 1 ? parts[1] : nil,
            home: variables["HOME"] ?? NSHomeDirectory()
        )
        return try profile.cookies()
    }
}
