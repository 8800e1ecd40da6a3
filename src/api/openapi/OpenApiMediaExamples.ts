const job_id = "job_01kaj3e5h8z9q0w1x2y3z4a5b6"

/** One body of each schema of pictures and of media. */
export const mediaExamples = {
  JobFrames: {
    job_id,
    visual_branch: "present",
    sampled: 125,
    kept: 9,
    frames: [{
      id: "frm_000026",
      source_ref: "frame#000026",
      timestamp: 13,
      cluster: 3,
      phash: "c3d1e0f83c3c1e0f",
      kept: true,
      width: 1920,
      height: 1080
    }]
  },
  JobVision: {
    job_id,
    visual_branch: "present",
    frames: [{
      frame_id: "frm_000026",
      source_ref: "frame#000026",
      timestamp: 13,
      description: "A slide that reads “Espresso machine”.",
      text: [{ text: "Espresso machine", box: [0.12, 0.2, 0.5, 0.08], confidence: 0.98 }],
      labels: [
        { name: "slide", confidence: 0.91 },
        { name: "cup", confidence: 0.62, box: [0.55, 0.4, 0.3, 0.45] }
      ]
    }],
    kinds: [{ name: "cup", most_at_once: 1, places: 1, frames: 1, t_start: 13, t_end: 13 }],
    model: "builtin"
  },
  Preview: {
    status: "ready",
    fraction: 1,
    url: `/v1/jobs/${job_id}/preview/media`,
    message: null,
    source: { url: `/v1/jobs/${job_id}/media`, content_type: "video/x-matroska", kept_until: null }
  },
  CreateMediaLink: { rendition: "preview", expires_in_seconds: 900 },
  MediaLink: {
    url: "https://footnote.example.com/m/01kaj3e5h8z9q0w1x2y3z4a5b6.01kaj2zzzz.source.t5x3k1.mac",
    expires_at: "2026-11-20T09:45:00.000Z"
  }
} as const
