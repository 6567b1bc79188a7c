// SPDX-License-Identifier: Apache-2.0

/// The name of a browser and its system for a person, from the header `User-Agent`.
enum BrowserName {
    // In this order, because most browsers also name the ones that they are compatible with.
    private static let browsers = [
        ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"),
        ("Firefox/", "Firefox"), ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"),
        ("CrOS", "ChromeOS"), ("Mac OS X", "Mac"), ("Linux", "Linux"),
    ]

    /// Returns a name such as `Safari on iPhone`; it holds no text of the header.
    static func text(_ userAgent: String?) -> String {
        let userAgent = userAgent ?? ""
        let browser = browsers.first { userAgent.contains($0.0) }?.1 ?? "A browser"
        guard let system = systems.first(where: { userAgent.contains($0.0) })?.1 else {
            return browser
        }
        return "\(browser) on \(system)"
    }
}
