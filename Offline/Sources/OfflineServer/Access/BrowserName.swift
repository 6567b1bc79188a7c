// SPDX-License-Identifier: Apache-2.0

/// The display name of a browser and the system, from the header `User-Agent`.
enum BrowserName {
    // The order matters, because most browsers also name the browsers that they are compatible
    // with.
    private static let browsers = [
        ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"),
        ("Firefox/", "Firefox"), ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"),
        ("CrOS", "ChromeOS"), ("Mac OS X", "Mac"), ("Linux", "Linux"),
    ]

    /// Returns a name such as `Safari on iPhone`, which never contains any part of the header.
    static func text(_ userAgent: String?) -> String {
        let userAgent = userAgent ?? ""
        let browser = browsers.first { userAgent.contains($0.0) }?.1 ?? "A browser"
        guard let system = systems.first(where: { userAgent.contains($0.0) })?.1 else {
            return browser
        }
        return "\(browser) on \(system)"
    }
}
