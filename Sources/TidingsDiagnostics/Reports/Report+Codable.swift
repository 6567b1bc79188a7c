// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Report {
    enum CodingKeys: String, CodingKey {
        case id, date, level, application, release, environment, user, errors, context, values
        case breadcrumbs, frames, threads, images, crash, machine, grouping, session, dist,
            serverName,
            attachments
    }

    /// Decodes a report, with empty values where an earlier version did not write any.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        date = try container.decode(Date.self, forKey: .date)
        level = try container.decode(ReportLevel.self, forKey: .level)
        application = try container.decode(String.self, forKey: .application)
        release = try container.decode(String.self, forKey: .release)
        environment = try container.decodeIfPresent(String.self, forKey: .environment)
        user = try container.decodeIfPresent(String.self, forKey: .user)
        errors = try container.decode([ReportedError].self, forKey: .errors)
        context = try container.decode([String: ReportValue].self, forKey: .context)
        values = try container.decode([String: ReportValue].self, forKey: .values)
        breadcrumbs = try container.decode([Breadcrumb].self, forKey: .breadcrumbs)
        frames = try container.decodeIfPresent([ReportedFrame].self, forKey: .frames) ?? []
        threads = try container.decodeIfPresent([ReportedThread].self, forKey: .threads) ?? []
        images = try container.decodeIfPresent([ReportedImage].self, forKey: .images) ?? []
        crash = try container.decodeIfPresent(ReportedCrash.self, forKey: .crash)
        machine = try container.decodeIfPresent([String: String].self, forKey: .machine) ?? [:]
        grouping = try container.decodeIfPresent([String].self, forKey: .grouping) ?? []
        dist = try container.decodeIfPresent(String.self, forKey: .dist)
        serverName = try container.decodeIfPresent(String.self, forKey: .serverName)
        attachments =
            try container.decodeIfPresent([String: Data].self, forKey: .attachments) ?? [:]
        session = try container.decodeIfPresent(String.self, forKey: .session)
    }
}
